/* Template: what a search of one view keeps, whatever the method. */

#define SEARCH_SETS 2    /* at 2,000 iterations a move four lose 1.5 % of the games against one, two lose none */

typedef struct GAME(search) {
    STATE root;
    GAME(worlds) worlds;
    GAME(ending) ending;
    int method, seat;
    int sets;                        /* of trees; in each one tree for each observer */
    int count;                       /* of legal moves */
    uint64_t seed;
    ps_found found;
    ps_ranked *moves;                /* values found without a tree */
    confidence conf;
    float *doubt;                    /* what the policy holds against each move (ismcts.h) */
    uint64_t iterations[SEARCH_SETS];   /* made in each set */
    uint64_t nodes[SEARCH_SETS];        /* visited in each set: those of the tree, and one for the leaf */
    tree trees[SEARCH_SETS * OBSERVERS];
} GAME(search);
