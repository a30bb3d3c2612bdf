/* Template: many games of one kind that go on side by side, for learners. A game that ends is dealt anew. */

static void GAME(batch_deal)(const ps_batch *b, uint64_t i)
{
    STATE *s = (STATE *)b->states + i;
    rng r = rng_stream(b->seed, RNG_DEAL, b->deals[i]);
    GAME(deal)(s, &r, b->dealer, b->scores);
    b->to_move[i] = (int8_t)GAME(to_move)(s);
}

static void GAME(batch_start)(const ps_batch *b)
{
    for (uint64_t i = 0; i < b->n; i++) {
        b->deals[i] = i;
        b->ended[i] = 0;
        for (int seat = 0; seat < SEATS; seat++) b->returns[i * SEATS + (uint64_t)seat] = 0;
        GAME(batch_deal)(b, i);
    }
}

static uint64_t GAME(batch_step)(const ps_batch *b, const uint16_t *chosen)
{
    STATE *states = b->states;
    for (uint64_t i = 0; i < b->n; i++)
        if (!GAME(allows)(&states[i], chosen[i])) return i;
    for (uint64_t i = 0; i < b->n; i++) {
        double *returns = &b->returns[i * SEATS];
        GAME(play)(&states[i], chosen[i]);
        const int seat = GAME(to_move)(&states[i]), over = seat < 0;
        if (over | b->ended[i]) {
            uint32_t shares[SEATS] = { 0 };
            if (over) GAME(shares)(&states[i], shares);
            for (int p = 0; p < SEATS; p++) returns[p] = (double)shares[p] / PS_ONE;
        }
        b->ended[i] = (uint8_t)over;
        b->to_move[i] = (int8_t)seat;
        if (over) {
            b->deals[i] += b->n;
            GAME(batch_deal)(b, i);
        }
    }
    return b->n;
}

static uint64_t GAME(batch_moves)(const ps_batch *b, uint16_t *moves, uint64_t room, uint64_t *starts)
{
    uint64_t all = 0;
    for (uint64_t i = 0; i < b->n && all + PS_MAX_MOVES <= room; i++) {
        starts[i] = all;
        all += (uint64_t)GAME(moves)((const STATE *)b->states + i, moves + all);
        starts[i + 1] = all;
        if (i + 1 == b->n) return all;
    }
    return 0;
}

static void GAME(batch_mask)(const ps_batch *b, const uint16_t *actions, uint64_t width, uint8_t *mask)
{
    memset(mask, 0, b->n * width);
    for (uint64_t i = 0; i < b->n; i++, mask += width) {
        uint16_t moves[PS_MAX_MOVES];
        for (int k = 0, n = GAME(moves)((const STATE *)b->states + i, moves); k < n; k++) mask[actions[moves[k]]] = 1;
    }
}

static void GAME(batch_views)(const ps_batch *b, const int8_t *seats, void *views)
{
    for (uint64_t i = 0; i < b->n; i++) GAME(view)((const STATE *)b->states + i, seats[i], (STATE *)views + i);
}
