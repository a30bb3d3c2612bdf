/* Template: what a search of one view keeps, whatever the method. */

typedef struct GAME(search) {
    STATE root;
    GAME(worlds) worlds;
    GAME(ending) ending;
    GAME(quick) quick;
    int method, seat;
    int sets;                        /* of trees; in each one tree for each observer */
    int count;                       /* of legal moves */
    uint64_t seed;
    ps_found found;
    ps_ranked *moves;                /* values found without a tree */
    confidence conf;
    float *doubt;                    /* what the policy holds against each move (ismcts.h) */
    uint64_t iterations[PS_SETS];   /* made in each set */
    uint64_t nodes[PS_SETS];        /* visited in each set: those of the tree, and one for the leaf */
    tree trees[PS_SETS * OBSERVERS];
} GAME(search);
