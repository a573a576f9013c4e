/* Exact solver for Power Line (see power_line_search.h for the interface).
 *
 * Every search answers one yes/no question: is the position worth at least
 * `goal` to the first player?  Rules that know no draw need one question, the
 * others two.  The answer is named by the player it favours ("owner" of the
 * position): player 0 if yes, player 1 if no.
 */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "power_line_search.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

enum { MAX_LEN = PLSEARCH_MAX_LENGTH, LEVELS = PLSEARCH_MAX_LEVEL, NEVER = 10000 };
enum { NOBODY = -1, MAX_MOVES = PLSEARCH_MAX_MOVES, MAX_PLIES = 260 };

__extension__ typedef unsigned __int128 wide;

/* ------------------------------------------------------------------ rules */

typedef struct {
    plsearch_rules r;
    int place_max;                     /* min(place_max, level_max) */
    int cap;                           /* no node can ever get above this level */
    int climb[LEVELS + 2][LEVELS + 2]; /* energy to upgrade from a to b */
    int scratch[LEVELS + 2];           /* energy to have a node of level b on an empty cell */
    wide weight[MAX_LEN];              /* of a cell in the key of a position */
    bool long_chain;                   /* nobody can ever reach `chain` */
    bool draws;                        /* a draw is possible */
    int chain_weight, node_weight, power_weight; /* in the ordering of moves */
} game;

static void fill_costs(game *g) {
    int top = g->r.level_max;
    for (int a = 0; a <= LEVELS + 1; a++)
        for (int b = 0; b <= LEVELS + 1; b++) {
            int sum = 0;
            for (int k = a + 1; k <= b; k++) sum += k;
            g->climb[a][b] = b > top ? NEVER : sum;
        }
    for (int b = 0; b <= LEVELS + 1; b++) {
        if (b > top) g->scratch[b] = NEVER;
        else if (b <= g->place_max) g->scratch[b] = b;
        else g->scratch[b] = g->place_max + g->climb[g->place_max][b];
    }
}

/* The highest level anyone can pay for.  With takeover a node may come into a
 * player's hands at some level Y by an action that costs at least Y+1, and be
 * upgraded from there; the first node to reach X was not captured at X-1, so
 * that way costs at least 3X-2 (Y = X-2). */
static int highest_level(const game *g) {
    int most = g->r.energy + g->r.head_start;
    int cap = 1;
    for (int x = 2; x <= g->r.level_max; x++) {
        int cost = g->scratch[x];
        if (g->r.capture == PLSEARCH_TAKEOVER && 3 * x - 2 < cost) cost = 3 * x - 2;
        if (cost <= most) cap = x;
    }
    return cap;
}

/* ------------------------------------------------------------------ states */

typedef struct {
    wide key[2];               /* of the line, and of its mirror image */
    uint32_t own[2];           /* bit i: cell i belongs to the player */
    int16_t energy[2];
    int16_t power[2];
    int8_t turn;
    int8_t level[MAX_LEN + 2]; /* cell i at [i + 1], 0 when empty */
} state;

/* Cells only: at most 21 bits.  The builtin is slow where the target has no
 * such instruction. */
static inline int popcount(uint32_t x) {
#if defined(__POPCNT__) || (defined(__GNUC__) && defined(__aarch64__))
    return __builtin_popcount(x);
#else
    x -= x >> 1 & 0x55555555u;
    x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
    x = (x + (x >> 4)) & 0x0F0F0F0Fu;
    return (int)(x * 0x01010101u >> 24);
#endif
}
static inline int lowest(uint32_t x) {
#if defined(__GNUC__)
    return __builtin_ctz(x);
#else
    int n = 0;
    while (!(x & 1)) { x >>= 1; n++; }
    return n;
#endif
}

static inline uint32_t all_cells(const game *g) { return (1u << g->r.length) - 1; }
static inline uint32_t empty_cells(const game *g, const state *s) {
    return all_cells(g) & ~(s->own[0] | s->own[1]);
}

static inline void key_add(const game *g, state *s, int cell, int player, int digit) {
    wide d = (wide)(player == 0 ? digit : g->cap + digit);
    s->key[0] += d * g->weight[cell];
    s->key[1] += d * g->weight[g->r.length - 1 - cell];
}
static inline void key_sub(const game *g, state *s, int cell, int player, int digit) {
    wide d = (wide)(player == 0 ? digit : g->cap + digit);
    s->key[0] -= d * g->weight[cell];
    s->key[1] -= d * g->weight[g->r.length - 1 - cell];
}

static void put_node(const game *g, state *s, int cell, int player, int lv) {
    s->own[player] |= 1u << cell;
    s->level[cell + 1] = (int8_t)lv;
    s->power[player] = (int16_t)(s->power[player] + lv);
    key_add(g, s, cell, player, lv);
}
static void drop_node(const game *g, state *s, int cell, int player) {
    int lv = s->level[cell + 1];
    s->own[player] &= ~(1u << cell);
    s->level[cell + 1] = 0;
    s->power[player] = (int16_t)(s->power[player] - lv);
    key_sub(g, s, cell, player, lv);
}

static inline bool is_own(const state *s, int player, int cell) {
    return cell >= 0 && (s->own[player] >> cell & 1);
}

static bool can_act(const game *g, const state *s, int player) {
    int e = s->energy[player];
    if (e == 0) return false;
    if (popcount(s->own[player]) < g->r.nodes && empty_cells(g, s)) return true;
    for (uint32_t m = s->own[player]; m; m &= m - 1) {
        int lv = s->level[lowest(m) + 1];
        if (lv < g->r.level_max && lv < e) return true;
    }
    return false;
}

static inline int longest_run(uint32_t m) {
    int n = 0;
    for (; m; n++) m &= m >> 1;
    return n;
}

static void take_over(const game *g, state *s, int cell, int me) {
    int lv = s->level[cell + 1];
    for (int j = cell - 1; j <= cell + 1; j += 2) {
        int other = s->level[j + 1];
        if (is_own(s, 1 - me, j) && other < lv) {
            drop_node(g, s, j, 1 - me);
            put_node(g, s, j, me, other);
            take_over(g, s, j, me);
        }
    }
}

/* Removes what the node at `cell` captures; a newcomer may be lost itself. */
static void remove_captured(const game *g, state *s, int cell, int me, bool placed) {
    int lv = s->level[cell + 1];
    bool lost = false;
    for (int j = cell - 1; j <= cell + 1; j += 2) {
        if (!is_own(s, 1 - me, j)) continue;
        if (s->level[j + 1] < lv) drop_node(g, s, j, 1 - me);
        else if (s->level[j + 1] > lv) lost = true;
    }
    if (lost && placed && g->r.capture == PLSEARCH_MUTUAL) drop_node(g, s, cell, me);
}

enum { PLAY_ON, OVER, CHAIN_DONE };

/* Plays a move (lv 0: upgrade) of the player at turn and settles whose turn
 * it is.  OVER: nobody can act any more. */
static int play(const game *g, state *s, int cell, int lv) {
    int me = s->turn;
    bool placed = lv > 0;
    if (placed) {
        put_node(g, s, cell, me, lv);
    } else {
        lv = ++s->level[cell + 1];
        s->power[me]++;
        key_add(g, s, cell, 0, 1); /* the next digit, whoever owns the cell */
    }
    s->energy[me] = (int16_t)(s->energy[me] - lv);
    if ((s->own[1 - me] >> cell & 2) || (s->own[1 - me] << 1 >> cell & 1)) {
        if (g->r.capture == PLSEARCH_TAKEOVER) take_over(g, s, cell, me);
        else remove_captured(g, s, cell, me, placed);
    }
    if (!g->long_chain && longest_run(s->own[me]) >= g->r.chain) return CHAIN_DONE;
    if (can_act(g, s, 1 - me)) s->turn = (int8_t)(1 - me);
    else if (!can_act(g, s, me)) return OVER;
    return PLAY_ON;
}

static int final_value(const game *g, const state *s) {
    for (int k = 0; k < g->r.criteria; k++) {
        int d = 0;
        switch (g->r.ending[k]) {
        case PLSEARCH_CHAIN: d = longest_run(s->own[0]) - longest_run(s->own[1]); break;
        case PLSEARCH_POWER: d = s->power[0] - s->power[1]; break;
        case PLSEARCH_ENERGY: d = s->energy[0] - s->energy[1]; break;
        case PLSEARCH_NODES: d = popcount(s->own[0]) - popcount(s->own[1]); break;
        case PLSEARCH_FIRST: return 1;
        case PLSEARCH_SECOND: return -1;
        default: return 0;
        }
        if (d != 0) return d > 0 ? 1 : -1;
    }
    return 0;
}

/* ------------------------------------------------------------------ bounds
 *
 * What a player can have at the end at least and at most, whatever both do
 * from here on.  NOTES.md holds the proofs. */

/* Energy the opponent needs, at least, to act next to the end node `cell` of
 * a run with a node higher than it, from the neighbouring cell `from`. */
static inline int attack_cost(const game *g, const state *s, int enemy, int cell, int from) {
    if (from < 0 || from >= g->r.length) return NEVER;
    int need = s->level[cell + 1] + 1;
    int cost = g->scratch[need];
    if (is_own(s, enemy, from)) {
        int k = s->level[from + 1];
        int upgrade = k >= need ? (k < g->r.level_max ? k + 1 : NEVER) : g->climb[k][need];
        if (upgrade < cost) cost = upgrade;
    }
    return cost;
}

/* Own nodes that the opponent can never capture any more. */
static uint32_t staying(const game *g, const state *s, int player) {
    int enemy = 1 - player;
    int e = s->energy[enemy];
    uint32_t own = s->own[player];
    if (e <= 1) return own; /* a capture costs at least 2 */
    uint32_t stay = 0;
    for (uint32_t m = own; m; m &= m - 1) {
        int cell = lowest(m);
        if (s->level[cell + 1] >= e) stay |= 1u << cell;
    }
    if (g->r.capture == PLSEARCH_TAKEOVER) return stay;
    for (uint32_t rest = own; rest;) {
        int a = lowest(rest);
        uint32_t run = rest & ~(rest + (rest & (0u - rest)));
        rest &= ~run;
        int b = a + popcount(run) - 1;
        if ((run & ~stay) && attack_cost(g, s, enemy, a, a - 1) > e &&
            attack_cost(g, s, enemy, b, b + 1) > e)
            stay |= run;
    }
    return stay;
}

static int highest_in(const state *s, uint32_t cells) {
    int top = 0;
    for (; cells; cells &= cells - 1) {
        int lv = s->level[lowest(cells) + 1];
        if (lv > top) top = lv;
    }
    return top;
}

/* A row of cells, and what stands in it from one player's point of view. */
typedef struct {
    uint32_t cells;
    int free, enemies; /* how many */
    int staying_outside;
} window;

/* Could a player with energy e ever own all the cells of the window? */
static bool affordable_by_removal(const game *g, const state *s, int player, int size, const window *w) {
    int e = s->energy[player];
    int missing = w->free + w->enemies;
    if (missing > e) return false;
    if (size + w->staying_outside > g->r.nodes) return false;
    if (w->enemies == 0) return true;
    int cost = missing + (w->free == 0);
    if (cost + 1 > e) return false;
    return cost + highest_in(s, w->cells & s->own[1 - player]) <= e;
}

static bool affordable_by_takeover(const state *s, int player, const window *w) {
    int e = s->energy[player];
    int theirs = s->energy[1 - player];
    int missing = w->free + w->enemies;
    if (missing == 0) return true;
    if (missing > 2 * e - 1 || w->free - theirs > e) return false;
    if (w->enemies == 0) return theirs > 0 || w->free <= e;
    int top = highest_in(s, w->cells & s->own[1 - player]);
    if (top + 1 > e) return false;
    return theirs > 0 || (w->free ? w->free + top : top + 1) <= e;
}

/* Is there a row of `size` cells without enemies and at most `gaps` of them
 * empty? All rows are counted at once, bit i standing for the one from cell i. */
static bool row_with_gaps(uint32_t own, uint32_t empty, int size, int gaps) {
    if (gaps >= size) {
        uint32_t rows = own | empty;
        for (int k = 1; k < size; k++) rows &= (own | empty) >> k;
        return rows != 0;
    }
    uint32_t with[MAX_LEN]; /* with[j]: so far exactly j gaps */
    for (int j = 0; j <= gaps; j++) with[j] = j == 0 ? ~0u : 0;
    for (int k = 0; k < size; k++) {
        for (int j = gaps; j > 0; j--) with[j] = (with[j] & own >> k) | (with[j - 1] & empty >> k);
        with[0] &= own >> k;
    }
    uint32_t rows = 0;
    for (int j = 0; j <= gaps; j++) rows |= with[j];
    return rows != 0;
}

/* The same question window by window, exactly as in NOTES.md. */
static bool some_window_affordable(const game *g, const state *s, int player, uint32_t stay, int size) {
    int n = g->r.length;
    uint32_t enemies = s->own[1 - player];
    uint32_t empty = empty_cells(g, s);
    window w = { (1u << size) - 1, 0, 0, 0 };
    w.free = popcount(empty & w.cells);
    w.enemies = popcount(enemies & w.cells);
    w.staying_outside = popcount(stay & ~w.cells);
    for (int i = 0;; i++) {
        if (g->r.capture == PLSEARCH_TAKEOVER ? affordable_by_takeover(s, player, &w)
                                              : affordable_by_removal(g, s, player, size, &w))
            return true;
        int in = i + size;
        if (in >= n) return false;
        w.free += (int)(empty >> in & 1) - (int)(empty >> i & 1);
        w.enemies += (int)(enemies >> in & 1) - (int)(enemies >> i & 1);
        w.staying_outside += (int)(stay >> i & 1) - (int)(stay >> in & 1);
        w.cells <<= 1;
    }
}

/* Could the player ever have a chain of `size`? */
static bool chain_possible(const game *g, const state *s, int player, uint32_t stay, int size) {
    if (size <= 0) return true;
    if (size > g->r.length) return false;
    int e = s->energy[player];
    if (g->r.capture == PLSEARCH_TAKEOVER)
        return row_with_gaps(s->own[player], empty_cells(g, s), size, e) ||
               some_window_affordable(g, s, player, stay, size);
    if (size > g->r.nodes) return false;
    if (popcount(stay) <= g->r.nodes - size) { /* nodes never run short */
        if (row_with_gaps(s->own[player], empty_cells(g, s), size, e)) return true;
        if (e < 3) return false; /* an enemy in the row costs at least that */
    }
    return some_window_affordable(g, s, player, stay, size);
}

/* The sign of (longest chain the player could ever have) - size. */
static int compare_most_chain(const game *g, const state *s, int player, uint32_t stay, int size) {
    int now = longest_run(s->own[player]);
    if (now > size || chain_possible(g, s, player, stay, size + 1)) return 1;
    return now == size || chain_possible(g, s, player, stay, size) ? 0 : -1;
}

/* Cells where a lone builder's level 1 newcomer might not stand. */
static uint32_t barred_cells(const game *g, const state *s, int player) {
    uint32_t enemies = s->own[1 - player];
    uint32_t barred = enemies;
    if (g->r.capture != PLSEARCH_MUTUAL) return barred;
    for (uint32_t m = enemies; m; m &= m - 1) {
        int cell = lowest(m);
        if (s->level[cell + 1] > 1) barred |= (5u << cell >> 1) & ~s->own[player];
    }
    return barred;
}

/* What a player whose opponent has no energy left can certainly build. */
static int least_chain_alone(const game *g, const state *s, int player) {
    uint32_t barred = barred_cells(g, s, player);
    int n = g->r.length;
    int spare = g->r.nodes - popcount(s->own[player]);
    int can_place = spare < s->energy[player] ? spare : s->energy[player];
    int best = longest_run(s->own[player]);
    if (can_place <= 0) return best;
    for (int i = 0; i + best < n; i++) {
        while (i + best < n) {
            uint32_t row = ((2u << best) - 1) << i;
            if (row & barred) break;
            if (popcount(row & ~s->own[player]) > can_place) break;
            best++;
        }
    }
    return best;
}

static int sum_levels(const state *s, uint32_t cells) {
    int sum = 0;
    for (; cells; cells &= cells - 1) sum += s->level[lowest(cells) + 1];
    return sum;
}

static int least_power(const game *g, const state *s, int player, uint32_t stay) {
    int theirs = s->energy[1 - player];
    int power = s->power[player];
    if (theirs == 0) {
        int spare = g->r.nodes - popcount(s->own[player]);
        int cells = popcount(empty_cells(g, s));
        int e = s->energy[player];
        if (g->r.capture == PLSEARCH_MUTUAL) return power; /* newcomers may be lost */
        if (spare > cells) spare = cells;
        if (spare <= 0) return power;
        return power + (e < spare * g->place_max ? e : spare * g->place_max);
    }
    int at_risk = sum_levels(s, s->own[player] & ~stay);
    if (g->r.capture != PLSEARCH_TAKEOVER && at_risk > 2 * (theirs - 1)) at_risk = 2 * (theirs - 1);
    return power - at_risk;
}

static int most_power(const game *g, const state *s, int player, uint32_t stay) {
    int e = s->energy[player];
    int power = s->power[player] + e;
    if (g->r.capture == PLSEARCH_TAKEOVER) {
        if (e < 2) return power;
        for (uint32_t m = s->own[1 - player]; m; m &= m - 1) {
            int lv = s->level[lowest(m) + 1];
            if (lv < e) power += lv;
        }
        return power + s->energy[1 - player];
    }
    if (stay == s->own[player]) { /* no node comes back to be placed again */
        int placed = (g->r.nodes - popcount(stay)) * g->place_max;
        if (placed < e) power += placed + (e - placed) / 2 - e;
    }
    return power;
}

static inline int sign(int d) { return (d > 0) - (d < 0); }

static int least_chain(const game *g, const state *s, int player, uint32_t stay) {
    return s->energy[1 - player] == 0 ? least_chain_alone(g, s, player) : longest_run(stay);
}

static int most_nodes(const game *g, const state *s, int player) {
    if (g->r.capture == PLSEARCH_TAKEOVER) return g->r.length;
    int n = popcount(s->own[player]) + s->energy[player];
    return n < g->r.nodes ? n : g->r.nodes;
}

/* The sign of (the least `player` can end with) - (the most the other can). */
static int compare_worst(const game *g, const state *s, int player, int criterion, const uint32_t *stay) {
    int other = 1 - player;
    switch (criterion) {
    case PLSEARCH_CHAIN: return -compare_most_chain(g, s, other, stay[other], least_chain(g, s, player, stay[player]));
    case PLSEARCH_POWER:
        return sign(least_power(g, s, player, stay[player]) - most_power(g, s, other, stay[other]));
    case PLSEARCH_ENERGY: return sign(0 - s->energy[other]);
    case PLSEARCH_NODES: return sign(popcount(stay[player]) - most_nodes(g, s, other));
    case PLSEARCH_FIRST: return player == 0 ? 1 : -1;
    case PLSEARCH_SECOND: return player == 1 ? 1 : -1;
    default: return 0;
    }
}

/* The worst result (1, 0, -1) `player` can still have. */
static int worst_result(const game *g, const state *s, int player, const uint32_t *stay) {
    if (!g->long_chain && chain_possible(g, s, 1 - player, stay[1 - player], g->r.chain)) return -1;
    for (int k = 0; k < g->r.criteria; k++) {
        int d = compare_worst(g, s, player, g->r.ending[k], stay);
        if (d != 0) return d;
    }
    return 0;
}

/* A cheap test that worst_result() must give -1 where the chain counts first:
 * the other can still get a longer chain than this player has now. */
static inline bool chain_in_danger(const game *g, const state *s, int player) {
    if (g->r.ending[0] != PLSEARCH_CHAIN || s->energy[1 - player] == 0) return false;
    int enemy = 1 - player;
    int size = longest_run(s->own[player]) + 1;
    return chain_possible(g, s, enemy, 0, size);
}

/* Who owns the position for certain, without search? */
static int settle(const game *g, const state *s, int goal) {
    bool open0 = !chain_in_danger(g, s, 0);
    bool open1 = !chain_in_danger(g, s, 1);
    if (!open0 && !open1) return NOBODY;
    uint32_t stay[2] = { staying(g, s, 0), staying(g, s, 1) };
    if (open0 && worst_result(g, s, 0, stay) >= goal) return 0;
    if (open1 && -worst_result(g, s, 1, stay) < goal) return 1;
    return NOBODY;
}

/* ------------------------------------------------------------------- table
 *
 * A position's key is scrambled one to one; the leading part of the result
 * chooses a bucket and the rest is stored, so that an entry gives its position
 * back and no two positions are ever taken for each other.  Entry: the rest,
 * then the effort (never 0, so 0 is an empty entry), then the owner.
 *
 * Entries of 32 or 64 bits are read and written as single atomic words; threads
 * need no locks.  Keys too long for that (long lines with high levels) take two
 * words, guarded by spin locks. */

enum { EFFORT_BITS = 3, INFO_BITS = EFFORT_BITS + 1, EFFORT_TOP = (1 << EFFORT_BITS) - 1 };
enum { BUCKET_BYTES = 64, LOCKS = 4096 };
enum { INFO_MASK = (1 << INFO_BITS) - 1, EFFORT_MASK = INFO_MASK - 1 };

typedef struct {
    void *memory;
    size_t bytes;
    uint64_t buckets;
    int key_bits, rest_bits;
    int entry_bytes;      /* 4, 8 or 16 */
    wide mask;            /* of key_bits ones */
    atomic_flag *locks;   /* for entries of 16 bytes */
} table;

/* Where a position is in the table; bucket NULL: nowhere, it is not kept. */
typedef struct {
    void *bucket;
    uint64_t rest, more; /* the low 64 - INFO_BITS bits of the rest, and those above */
} place;

static int bits_of(wide x) {
    int n = 0;
    for (; x; x >>= 1) n++;
    return n;
}

static void *big_block(size_t bytes) {
#ifdef __linux__
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return NULL;
    madvise(p, bytes, MADV_HUGEPAGE);
    return p;
#else
    char *raw = calloc(bytes + BUCKET_BYTES, 1); /* the start is kept in front of the block */
    if (!raw) return NULL;
    char *p = raw + BUCKET_BYTES - (uintptr_t)raw % BUCKET_BYTES;
    ((void **)p)[-1] = raw;
    return p;
#endif
}

static void big_free(void *p, size_t bytes) {
    if (!p) return;
#ifdef __linux__
    munmap(p, bytes);
#else
    (void)bytes;
    free(((void **)p)[-1]);
#endif
}

static void big_clear(void *p, size_t bytes) {
#ifdef __linux__
    if (madvise(p, bytes, MADV_DONTNEED) == 0) return; /* gives the memory back, too */
#endif
    memset(p, 0, bytes);
}

static bool table_open(table *t, int key_bits, size_t bytes) {
    t->key_bits = key_bits;
    t->mask = key_bits >= 128 ? ~(wide)0 : ((wide)1 << key_bits) - 1;
    t->buckets = bytes / BUCKET_BYTES;
    if (t->buckets == 0) t->buckets = 1;
    wide widest = t->mask / t->buckets; /* keys in one bucket, less 1 */
    if (key_bits > 64) widest += (wide)1 << (key_bits - 64);
    t->rest_bits = bits_of(widest);
    t->entry_bytes = t->rest_bits <= 32 - INFO_BITS ? 4 : t->rest_bits <= 64 - INFO_BITS ? 8 : 16;
    t->bytes = (size_t)t->buckets * BUCKET_BYTES;
    t->memory = big_block(t->bytes);
    if (t->entry_bytes == 16) {
        t->locks = malloc(LOCKS * sizeof *t->locks);
        for (int i = 0; t->locks && i < LOCKS; i++) atomic_flag_clear(&t->locks[i]);
    }
    return t->memory && (t->entry_bytes < 16 || t->locks);
}

static void table_close(table *t) {
    big_free(t->memory, t->bytes);
    free(t->locks);
    t->memory = NULL;
    t->locks = NULL;
}

/* Both are one to one on numbers of key_bits bits: every step can be undone. */
static uint64_t scramble64(uint64_t x, int bits, uint64_t mask) {
    int half = bits / 2;
    x ^= x >> half;
    x = x * 0x9E3779B97F4A7C15u & mask;
    x ^= x >> half;
    x = x * 0xC2B2AE3D27D4EB4Fu & mask;
    return x ^ x >> half;
}
static wide scramble128(wide x, int bits, wide mask) {
    int half = bits / 2;
    x ^= x >> half;
    x = x * ((wide)0x9E3779B97F4A7C15u << 64 | 0xF39CC0605CEDC835u) & mask;
    x ^= x >> half;
    x = x * ((wide)0xC2B2AE3D27D4EB4Fu << 64 | 0x165667B19E3779F9u) & mask;
    return x ^ x >> half;
}

static inline place locate(const table *t, wide key) {
    place p = { NULL, 0, 0 };
    uint64_t bucket;
    if (t->key_bits <= 64) {
        uint64_t x = scramble64((uint64_t)key, t->key_bits, (uint64_t)t->mask);
        bucket = (uint64_t)((wide)x * t->buckets >> t->key_bits);
        p.rest = t->rest_bits ? x & ~(uint64_t)0 >> (64 - t->rest_bits) : 0;
        if (t->rest_bits > 64 - INFO_BITS) { /* a table of a few buckets */
            p.more = p.rest >> (64 - INFO_BITS);
            p.rest &= ~(uint64_t)0 >> INFO_BITS;
        }
    } else { /* the top 64 bits choose the bucket */
        wide x = scramble128(key, t->key_bits, t->mask);
        bucket = (uint64_t)((x >> (t->key_bits - 64)) * t->buckets >> 64);
        x &= t->rest_bits >= 128 ? ~(wide)0 : ((wide)1 << t->rest_bits) - 1;
        p.rest = (uint64_t)x & ~(uint64_t)0 >> INFO_BITS;
        p.more = (uint64_t)(x >> (64 - INFO_BITS));
    }
    p.bucket = (char *)t->memory + bucket * BUCKET_BYTES;
    return p;
}

static inline void prefetch(const void *p) {
#if defined(__GNUC__)
    __builtin_prefetch(p);
#else
    (void)p;
#endif
}

static atomic_flag *lock_bucket(const table *t, const void *bucket) {
    atomic_flag *lock = &t->locks[(uintptr_t)bucket / BUCKET_BYTES % LOCKS];
    while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire)) { }
    return lock;
}
static void unlock_bucket(atomic_flag *lock) { atomic_flag_clear_explicit(lock, memory_order_release); }

static int look_up_long(const table *t, place p) {
    atomic_flag *lock = lock_bucket(t, p.bucket);
    const uint64_t *e = p.bucket;
    int owner = NOBODY;
    for (int i = 0; i < BUCKET_BYTES / 8; i += 2)
        if (e[i] && e[i] >> INFO_BITS == p.rest && e[i + 1] == p.more) owner = (int)(e[i] & 1);
    unlock_bucket(lock);
    return owner;
}

/* The owner, NOBODY where the table does not know. */
static int look_up(const table *t, place p) {
    if (!p.bucket) return NOBODY;
    if (t->entry_bytes == 4) {
        _Atomic uint32_t *e = p.bucket;
        for (int i = 0; i < BUCKET_BYTES / 4; i++) {
            uint32_t x = atomic_load_explicit(&e[i], memory_order_relaxed);
            if (x == 0) return NOBODY;
            if (x >> INFO_BITS == p.rest) return (int)(x & 1);
        }
        return NOBODY;
    }
    if (t->entry_bytes == 16) return look_up_long(t, p);
    _Atomic uint64_t *e = p.bucket;
    for (int i = 0; i < BUCKET_BYTES / 8; i++) {
        uint64_t x = atomic_load_explicit(&e[i], memory_order_relaxed);
        if (x == 0) return NOBODY;
        if (x >> INFO_BITS == p.rest) return (int)(x & 1);
    }
    return NOBODY;
}

/* Each of the following writes an entry over that of the same position, else
 * over the first empty one (so that a bucket fills from the front, and nothing
 * follows an empty entry), else over the one that took least effort; ties go
 * to the first from `start` on.  They return whether the entry was empty. */
static bool store_short(_Atomic uint32_t *e, uint32_t entry, unsigned start) {
    const unsigned n = BUCKET_BYTES / 4;
    unsigned victim = 0;
    uint32_t least = ~(uint32_t)0;
    for (unsigned i = 0; i < n; i++) {
        uint32_t x = atomic_load_explicit(&e[i], memory_order_relaxed);
        if (x == 0 || x >> INFO_BITS == entry >> INFO_BITS) {
            atomic_store_explicit(&e[i], entry, memory_order_relaxed);
            return x == 0;
        }
    }
    for (unsigned k = 0; k < n; k++) {
        unsigned i = (start + k) % n;
        uint32_t effort = atomic_load_explicit(&e[i], memory_order_relaxed) & EFFORT_MASK;
        if (effort < least) { least = effort; victim = i; }
    }
    atomic_store_explicit(&e[victim], entry, memory_order_relaxed);
    return false;
}

static bool store_word(_Atomic uint64_t *e, uint64_t entry, unsigned start) {
    const unsigned n = BUCKET_BYTES / 8;
    unsigned victim = 0;
    uint64_t least = ~(uint64_t)0;
    for (unsigned i = 0; i < n; i++) {
        uint64_t x = atomic_load_explicit(&e[i], memory_order_relaxed);
        if (x == 0 || x >> INFO_BITS == entry >> INFO_BITS) {
            atomic_store_explicit(&e[i], entry, memory_order_relaxed);
            return x == 0;
        }
    }
    for (unsigned k = 0; k < n; k++) {
        unsigned i = (start + k) % n;
        uint64_t effort = atomic_load_explicit(&e[i], memory_order_relaxed) & EFFORT_MASK;
        if (effort < least) { least = effort; victim = i; }
    }
    atomic_store_explicit(&e[victim], entry, memory_order_relaxed);
    return false;
}

static bool store_long(const table *t, place p, uint64_t entry, unsigned start) {
    const unsigned n = BUCKET_BYTES / 16;
    unsigned victim = 0;
    uint64_t least = ~0ull;
    atomic_flag *lock = lock_bucket(t, p.bucket);
    uint64_t *e = p.bucket;
    for (unsigned k = 0; k < n && least; k++) {
        unsigned i = (start + k) % n * 2;
        if (e[i] && e[i] >> INFO_BITS == p.rest && e[i + 1] == p.more) { victim = i; least = 1; break; }
        if ((e[i] & EFFORT_MASK) < least) { least = e[i] & EFFORT_MASK; victim = i; }
    }
    e[victim] = entry;
    e[victim + 1] = p.more;
    unlock_bucket(lock);
    return least == 0;
}

/* 1 for the cheapest, one more for each factor of eight. */
static inline unsigned effort_class(uint64_t positions) {
    unsigned c = 1;
    while (positions >= 8 && c < EFFORT_TOP) { positions >>= 3; c++; }
    return c;
}

static bool store(const table *t, place p, int owner, uint64_t positions) {
    if (!p.bucket) return false;
    uint64_t entry = p.rest << INFO_BITS | effort_class(positions) << 1 | (unsigned)owner;
    unsigned start = (unsigned)(p.rest * 0x9E3779B97F4A7C15u >> 40);
    if (t->entry_bytes == 4) return store_short(p.bucket, (uint32_t)entry, start);
    if (t->entry_bytes == 8) return store_word(p.bucket, entry, start);
    return store_long(t, p, entry, start);
}

/* ------------------------------------------------------------------ search */

enum { MOVE_CODES = MAX_LEN * (LEVELS + 1), NO_MOVE = MOVE_CODES };

typedef struct {
    state s;
    place at;
    int score;
    int16_t code; /* cell * (LEVELS + 1) + level placed, 0 for an upgrade */
} child;

/* What one worker tries before the others are started; more while the table
 * is still a small one, for a big one takes time just to be touched. */
enum { ALONE_POSITIONS = 5000, ALONE_SMALL_POSITIONS = 100000, SMALL_TABLE_BYTES = 4 << 20 };
enum { MAX_THREADS = 64 };
/* By the energy both have left together: from where on positions are kept in
 * the table, all children are looked up before one is searched, and threads
 * divide the children among them.  Below, searching is cheaper. */
enum { KEPT_ENERGY = 5, PROBED_ENERGY = 6, SPLIT_ENERGY = 8 };
enum { BUSY_SLOTS = 1 << 14, POLL_MASK = 1023, NOT_ABANDONED = MAX_PLIES + 1 };

typedef struct worker {
    struct plsearch *owner;
    child *arena;                /* children of all positions on the current path */
    place path[MAX_PLIES];       /* the positions on it */
    int abandon;                 /* this ply of the path was settled by another worker; -1: give up all */
    uint64_t give_up_at;         /* abandon all when `positions` gets there, 0: no limit */
    uint64_t positions, stored;  /* of this worker alone */
    _Atomic uint64_t shown_positions, shown_stored; /* the same for other threads, now and then */
} worker;

struct plsearch {
    game g;
    table t;
    int key_bits;
    size_t full_bytes;           /* what the table may take; it starts smaller */
    int goal;
    int threads;
    worker *workers;
    atomic_bool cancelled;       /* by the caller, until taken back */
    atomic_bool stop;            /* the running call is to end: cancelled or a limit reached */
    atomic_bool off_scale;       /* an impossible position was given, see expand() */
    uint64_t limit_positions;
    double limit_seconds;
    uint64_t stop_positions;     /* of the running call: total at which to give up */
    double stop_time;
    /* How well moves did, in all and in reply to the move before, by player;
     * shared, so that all workers prefer the same moves. */
    _Atomic int32_t history[2][MOVE_CODES];
    _Atomic int32_t reply[2][MOVE_CODES + 1][MOVE_CODES];
    _Atomic uint8_t busy[BUSY_SLOTS]; /* how many workers search a position of this slot */
};

/* The number of a position: the smaller one of the line and its mirror image,
 * both energies, the turn, and the question where there are two. */
static wide full_key(const game *g, const state *s, int goal) {
    wide k = s->key[0] < s->key[1] ? s->key[0] : s->key[1];
    k = k * (unsigned)(g->r.energy + g->r.head_start + 1) + (unsigned)s->energy[0];
    k = k * (unsigned)(g->r.energy + 1) + (unsigned)s->energy[1];
    k = k * 2 + (unsigned)s->turn;
    return g->draws ? (k * 2 + (unsigned)goal) : k;
}

static inline int energy_left(const state *s) { return s->energy[0] + s->energy[1]; }

static inline place place_of(const plsearch *x, const state *s) {
    if (energy_left(s) < KEPT_ENERGY) return (place){ NULL, 0, 0 };
    return locate(&x->t, full_key(&x->g, s, x->goal));
}

/* Plays a move; keeps the child at *out if its owner is not known at once. */
static inline void add_child(worker *w, const state *s, int cell, int lv, child **out, int *won) {
    const plsearch *x = w->owner;
    child *c = *out;
    int me = s->turn;
    int owner;
    c->s = *s;
    switch (play(&x->g, &c->s, cell, lv)) {
    case CHAIN_DONE: owner = me; break;
    case OVER: owner = final_value(&x->g, &c->s) >= x->goal ? 0 : 1; break;
    default: owner = settle(&x->g, &c->s, x->goal);
    }
    if (owner == me) *won = 1;
    if (owner != NOBODY) return;
    c->code = (int16_t)(cell * (LEVELS + 1) + lv);
    (*out)++;
}

/* Makes the children that settle() leaves open and returns how many; *won is
 * set, and the rest left undone, when one is the mover's. */
static int expand(worker *w, const state *s, child *first, int *won) {
    const game *g = &w->owner->g;
    int me = s->turn;
    child *out = first;
    *won = 0;
    int e = s->energy[me];
    for (uint32_t m = s->own[me]; m && !*won; m &= m - 1) {
        int cell = lowest(m);
        int lv = s->level[cell + 1];
        if (lv >= g->r.level_max || lv >= e) continue;
        if (lv == g->cap) { /* keys have no room for it; play never leads there */
            atomic_store(&w->owner->off_scale, true);
            atomic_store(&w->owner->stop, true);
            return 0;
        }
        add_child(w, s, cell, 0, &out, won);
    }
    if (popcount(s->own[me]) < g->r.nodes) {
        int top = e < g->place_max ? e : g->place_max;
        for (int lv = top; lv >= 1 && !*won; lv--)
            for (uint32_t m = empty_cells(g, s); m && !*won; m &= m - 1)
                add_child(w, s, lowest(m), lv, &out, won);
    }
    return (int)(out - first);
}

/* What has won before, here or in reply to the same move; and being ahead in
 * what counts: such positions are settled soonest. */
static int score_of(const worker *w, const child *c, int me, int last) {
    const plsearch *x = w->owner;
    const game *g = &x->g;
    const state *s = &c->s;
    int other = 1 - me;
    int ahead = g->chain_weight * (longest_run(s->own[me]) - longest_run(s->own[other]));
    if (g->node_weight) ahead += g->node_weight * (popcount(s->own[me]) - popcount(s->own[other]));
    if (g->power_weight) ahead += g->power_weight * (s->power[me] - s->power[other]);
    return ahead + atomic_load_explicit(&x->history[me][c->code], memory_order_relaxed) +
           atomic_load_explicit(&x->reply[me][last][c->code], memory_order_relaxed);
}

enum { LEARN_WON = 4096, LEARN_LOST = -512, HISTORY_INERTIA = 64, REPLY_INERTIA = 16 };

/* Moves a running average; a lost update between threads does no harm. */
static inline void learn(_Atomic int32_t *average, int lesson, int inertia) {
    int32_t old = atomic_load_explicit(average, memory_order_relaxed);
    atomic_store_explicit(average, old + (lesson - old) / inertia, memory_order_relaxed);
}

/* The child order[k] won after those before it did not. */
static void reward(plsearch *x, int me, int last, const child *c, const uint8_t *order, int k) {
    for (int i = 0; i <= k; i++) {
        int code = c[order[i]].code;
        int lesson = i == k ? LEARN_WON : LEARN_LOST;
        learn(&x->history[me][code], lesson, HISTORY_INERTIA);
        learn(&x->reply[me][last][code], lesson, REPLY_INERTIA);
    }
}

/* Puts the best of the children k.. at k; the children themselves, which are
 * large, stay where they are. */
static void pick_best(const child *c, uint8_t *order, int n, int k) {
    int best = k;
    for (int i = k + 1; i < n; i++)
        if (c[order[i]].score > c[order[best]].score) best = i;
    uint8_t t = order[k];
    order[k] = order[best];
    order[best] = t;
}

static double clock_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static uint64_t total_positions(const plsearch *x) {
    uint64_t sum = 0;
    for (int i = 0; i < x->threads; i++)
        sum += atomic_load_explicit(&x->workers[i].shown_positions, memory_order_relaxed);
    return sum;
}

static void show_counters(worker *w) {
    atomic_store_explicit(&w->shown_positions, w->positions, memory_order_relaxed);
    atomic_store_explicit(&w->shown_stored, w->stored, memory_order_relaxed);
}

/* Now and then: limits, and whether another worker has settled a position on
 * this worker's path, so that going on below it would be wasted. */
static void poll(worker *w, int ply) {
    plsearch *x = w->owner;
    show_counters(w);
    if (atomic_load_explicit(&x->cancelled, memory_order_relaxed) ||
        (x->stop_positions && total_positions(x) >= x->stop_positions) ||
        (x->stop_time > 0 && clock_seconds() >= x->stop_time))
        atomic_store(&x->stop, true);
    if (w->give_up_at && w->positions >= w->give_up_at) {
        w->abandon = -1;
        return;
    }
    if (x->threads == 1) return;
    for (int i = 0; i < ply; i++)
        if (look_up(&x->t, w->path[i]) != NOBODY) {
            w->abandon = i;
            return;
        }
}

static inline bool given_up(const worker *w, int ply) {
    return w->abandon < ply || atomic_load_explicit(&w->owner->stop, memory_order_relaxed);
}

static inline _Atomic uint8_t *busy_slot(plsearch *x, place at) {
    uint64_t h = ((uint64_t)(uintptr_t)at.bucket >> 6) * 0x9E3779B97F4A7C15u + at.rest * 0xC2B2AE3D27D4EB4Fu;
    return &x->busy[h >> 40 & (BUSY_SLOTS - 1)];
}

static int search(worker *w, const state *s, place at, child *arena, int last, int ply);

/* The owner of child c, searching it where the table does not know. */
static int search_child(worker *w, const child *c, child *arena, int ply, bool split) {
    plsearch *x = w->owner;
    int owner = look_up(&x->t, c->at);
    if (owner != NOBODY) return owner;
    if (!split) return search(w, &c->s, c->at, arena, c->code, ply + 1);
    _Atomic uint8_t *slot = busy_slot(x, c->at);
    atomic_fetch_add_explicit(slot, 1, memory_order_relaxed);
    owner = search(w, &c->s, c->at, arena, c->code, ply + 1);
    atomic_fetch_sub_explicit(slot, 1, memory_order_relaxed);
    return owner;
}

/* Does the mover own one of the children? Searches them best first; those that
 * another worker is busy with come last, when it may have settled them. */
static int search_children(worker *w, const state *s, child *c, uint8_t *order, int n, int kept, int last, int ply) {
    plsearch *x = w->owner;
    int me = s->turn;
    bool split = x->threads > 1 && energy_left(s) >= SPLIT_ENERGY;
    int tried = 0;
    for (int pass = 0; pass < 2 && tried < kept; pass++) {
        for (int k = tried; k < kept; k++) {
            pick_best(c, order, kept, k);
            child *next = &c[order[k]];
            if (split && pass == 0 && k > 0 && atomic_load_explicit(busy_slot(x, next->at), memory_order_relaxed))
                continue;
            int owner = search_child(w, next, c + n, ply, split);
            if (owner == NOBODY) {
                if (given_up(w, ply)) return NOBODY;
                w->abandon = NOT_ABANDONED; /* this very position was settled by another worker */
                owner = look_up(&x->t, w->path[ply]);
                if (owner != NOBODY) return owner;
                k--; /* and forgotten again */
                continue;
            }
            uint8_t done = order[k];
            order[k] = order[tried];
            order[tried] = done;
            if (owner == me) {
                reward(x, me, last, c, order, tried);
                return me;
            }
            tried++;
        }
    }
    return 1 - me;
}

/* Looks the children up, all at once where that pays; returns how many stay
 * open, in order[]. */
static int look_up_children(worker *w, const state *s, child *c, int n, uint8_t *order, int last, int *won) {
    const plsearch *x = w->owner;
    bool probe = energy_left(s) >= PROBED_ENERGY;
    int kept = 0;
    for (int i = 0; i < n; i++) {
        c[i].at = place_of(x, &c[i].s);
        prefetch(c[i].at.bucket);
    }
    for (int i = 0; i < n && !*won; i++) {
        int owner = probe ? look_up(&x->t, c[i].at) : NOBODY;
        if (owner == s->turn) *won = 1;
        if (owner != NOBODY) continue;
        c[i].score = score_of(w, &c[i], s->turn, last);
        order[kept++] = (uint8_t)i;
    }
    return kept;
}

/* The owner of a position that settle() left open; NOBODY when given up. */
static int search(worker *w, const state *s, place at, child *arena, int last, int ply) {
    plsearch *x = w->owner;
    uint8_t order[MAX_MOVES];
    int won;
    uint64_t before = w->positions++;
    if ((before & POLL_MASK) == 0) poll(w, ply);
    if (given_up(w, ply)) return NOBODY;
    w->path[ply] = at;
    int owner = s->turn;
    int n = expand(w, s, arena, &won);
    if (!won) {
        int kept = look_up_children(w, s, arena, n, order, last, &won);
        if (!won) owner = search_children(w, s, arena, order, n, kept, last, ply);
    }
    if (atomic_load_explicit(&x->off_scale, memory_order_relaxed)) return NOBODY;
    if (owner != NOBODY) w->stored += store(&x->t, at, owner, w->positions - before);
    return owner;
}

/* --------------------------------------------------------------- the workers */

/* A position whose owner is asked for. */
typedef struct {
    state s;
    place at;
    _Atomic int owner;
    _Atomic int round; /* of the last round in which a worker took it, from 1 */
} target;

typedef struct {
    worker *w;
    target *targets;
    int count;
} job;

/* Several targets are tried with growing budgets, so that limits and
 * cancelling find the easy ones done. 0: no limit. */
static const uint64_t round_budget[] = { 20000, 300000, 0 };
enum { ROUNDS = sizeof round_budget / sizeof *round_budget };

/* Settles the target, or gives up when the worker has searched `budget` more
 * positions (0: no limit) or the call is to end. */
static void settle_target(worker *w, target *t, uint64_t budget) {
    int owner = look_up(&w->owner->t, t->at);
    w->abandon = NOT_ABANDONED;
    w->give_up_at = budget ? w->positions + budget : 0;
    if (owner == NOBODY) owner = search(w, &t->s, t->at, w->arena, NO_MOVE, 0);
    if (owner != NOBODY) atomic_store(&t->owner, owner);
}

static inline bool is_open(target *t) { return atomic_load(&t->owner) == NOBODY; }

/* In each round a worker takes what no other has taken; at last it helps with
 * what the others are still at. */
static void *run_job(void *arg) {
    const job *j = arg;
    worker *w = j->w;
    plsearch *x = w->owner;
    for (int round = j->count > 1 ? 1 : ROUNDS; round <= ROUNDS + 1; round++)
        for (int i = 0; i < j->count && !atomic_load(&x->stop); i++) {
            target *t = &j->targets[i];
            if (!is_open(t) || (round <= ROUNDS && atomic_exchange(&t->round, round) == round)) continue;
            settle_target(w, t, round <= ROUNDS ? round_budget[round - 1] : 0);
        }
    show_counters(w);
    return NULL;
}

static void run_workers(plsearch *x, target *targets, int count) {
    job jobs[MAX_THREADS];
    pthread_t helpers[MAX_THREADS];
    int started = 1;
    for (int i = 0; i < x->threads; i++) jobs[i] = (job){ &x->workers[i], targets, count };
    for (; started < x->threads; started++)
        if (pthread_create(&helpers[started], NULL, run_job, &jobs[started]) != 0) break;
    run_job(&jobs[0]);
    for (int i = 1; i < started; i++) pthread_join(helpers[i], NULL);
}

/* Most calls are small: the first worker tries before threads are started. */
static void try_alone(plsearch *x, target *targets, int count) {
    worker *w = &x->workers[0];
    uint64_t end = w->positions + (x->t.bytes < x->full_bytes ? ALONE_SMALL_POSITIONS : ALONE_POSITIONS);
    for (int i = 0; i < count && w->positions < end && !atomic_load(&x->stop); i++)
        if (is_open(&targets[i])) settle_target(w, &targets[i], end - w->positions);
    show_counters(w);
}

/* Goes over to the full table. The little that is forgotten is soon found
 * again; without memory the small table stays. */
static void grow_table(plsearch *x, target *targets, int count) {
    table full;
    memset(&full, 0, sizeof full);
    if (x->t.bytes >= x->full_bytes || !table_open(&full, x->key_bits, x->full_bytes)) {
        table_close(&full);
        return;
    }
    table_close(&x->t);
    x->t = full;
    for (int i = 0; i < x->threads; i++) x->workers[i].stored = 0;
    for (int i = 0; i < count; i++) targets[i].at = place_of(x, &targets[i].s);
}

static bool any_open(target *targets, int count) {
    for (int i = 0; i < count; i++)
        if (is_open(&targets[i])) return true;
    return false;
}

/* Finds the owners of all targets, or as many as the limits allow. */
static void settle_targets(plsearch *x, target *targets, int count) {
    for (int i = 0; i < count; i++) {
        targets[i].at = place_of(x, &targets[i].s);
        atomic_store(&targets[i].round, 0);
        atomic_store(&targets[i].owner, settle(&x->g, &targets[i].s, x->goal));
    }
    try_alone(x, targets, count);
    if (!any_open(targets, count) || atomic_load(&x->stop)) return;
    grow_table(x, targets, count);
    run_workers(x, targets, count);
}

/* --------------------------------------------------------------- interface */

static bool rules_fit(const plsearch_rules *r) {
    if (r->length < 2 || r->length > MAX_LEN || r->nodes < 1 || r->nodes > MAX_LEN) return false;
    if (r->energy < 1 || r->energy > 99 || r->head_start < 0 || r->head_start > 20) return false;
    if (r->place_max < 1 || r->place_max > LEVELS || r->level_max < 1 || r->level_max > LEVELS) return false;
    if (r->chain < 2 || r->chain > r->length || r->capture < 0 || r->capture > PLSEARCH_TAKEOVER) return false;
    if (r->criteria < 1 || r->criteria > PLSEARCH_MAX_CRITERIA) return false;
    for (int k = 0; k < r->criteria; k++) {
        if (r->ending[k] < 0 || r->ending[k] > PLSEARCH_DRAW) return false;
        if ((r->ending[k] >= PLSEARCH_FIRST) != (k == r->criteria - 1)) return false;
    }
    return true;
}

/* Found by experiment (NOTES.md); any weights give the same results. */
static void choose_weights(game *g) {
    g->chain_weight = LEARN_WON / 4;
    if (g->r.capture == PLSEARCH_TAKEOVER) g->chain_weight *= 2;
    if (g->r.capture != PLSEARCH_MOVER) g->node_weight = g->chain_weight / 2;
    if (g->r.ending[0] == PLSEARCH_POWER) g->power_weight = g->chain_weight;
}

static int game_init(game *g, const plsearch_rules *r) {
    memset(g, 0, sizeof *g);
    g->r = *r;
    g->place_max = r->place_max < r->level_max ? r->place_max : r->level_max;
    g->long_chain = r->capture != PLSEARCH_TAKEOVER && r->chain > r->nodes;
    g->draws = r->ending[r->criteria - 1] == PLSEARCH_DRAW;
    choose_weights(g);
    fill_costs(g);
    g->cap = highest_level(g);
    wide w = 1;
    for (int i = 0; i < r->length; i++) {
        g->weight[i] = w;
        w *= (unsigned)(2 * g->cap + 1);
    }
    w *= (unsigned)(r->energy + r->head_start + 1);
    w *= (unsigned)(r->energy + 1);
    return bits_of(w * (g->draws ? 4 : 2) - 1);
}

/* Room for the children of every position on the longest possible path. */
static size_t arena_size(const game *g) {
    size_t plies = (size_t)(2 * g->r.energy + g->r.head_start) + 2;
    size_t moves = (size_t)g->r.length * (size_t)(g->place_max > 1 ? g->place_max : 1);
    return plies * (moves + 1);
}

plsearch *plsearch_new(const plsearch_rules *rules, size_t table_bytes, int threads) {
    if (!rules_fit(rules)) return NULL;
    plsearch *x = calloc(1, sizeof *x);
    if (!x) return NULL;
    x->key_bits = game_init(&x->g, rules);
    x->full_bytes = table_bytes > BUCKET_BYTES ? table_bytes / BUCKET_BYTES * BUCKET_BYTES : BUCKET_BYTES;
    size_t first_bytes = x->full_bytes < SMALL_TABLE_BYTES ? x->full_bytes : SMALL_TABLE_BYTES;
    x->threads = threads < 1 ? 1 : threads > MAX_THREADS ? MAX_THREADS : threads;
    x->workers = calloc((size_t)x->threads, sizeof *x->workers);
    bool fine = x->workers && table_open(&x->t, x->key_bits, first_bytes);
    for (int i = 0; fine && i < x->threads; i++) {
        x->workers[i].owner = x;
        x->workers[i].arena = malloc(sizeof(child) * arena_size(&x->g));
        fine = x->workers[i].arena != NULL;
    }
    if (!fine) {
        plsearch_free(x);
        return NULL;
    }
    return x;
}

void plsearch_free(plsearch *x) {
    if (!x) return;
    for (int i = 0; x->workers && i < x->threads; i++) free(x->workers[i].arena);
    free(x->workers);
    table_close(&x->t);
    free(x);
}

void plsearch_cancel(plsearch *x, int cancel) { atomic_store(&x->cancelled, cancel != 0); }

void plsearch_progress(const plsearch *x, plsearch_counters *c) {
    memset(c, 0, sizeof *c);
    for (int i = 0; i < x->threads; i++) {
        c->positions += atomic_load_explicit(&x->workers[i].shown_positions, memory_order_relaxed);
        c->stored += atomic_load_explicit(&x->workers[i].shown_stored, memory_order_relaxed);
    }
    c->table_bytes = x->full_bytes;
}

void plsearch_limit(plsearch *x, uint64_t positions, double seconds) {
    x->limit_positions = positions;
    x->limit_seconds = seconds;
}

static void begin_call(plsearch *x) {
    atomic_store(&x->stop, false);
    atomic_store(&x->off_scale, false);
    x->stop_positions = x->limit_positions ? total_positions(x) + x->limit_positions : 0;
    x->stop_time = x->limit_seconds > 0 ? clock_seconds() + x->limit_seconds : 0;
}

static bool load_state(const game *g, const plsearch_position *p, state *s) {
    memset(s, 0, sizeof *s);
    if (p->turn < 0 || p->turn > 1) return false;
    for (int i = 0; i < 2; i++) {
        if (p->energy[i] < 0 || p->energy[i] > g->r.energy + (i == 0 ? g->r.head_start : 0)) return false;
        s->energy[i] = p->energy[i];
    }
    s->turn = p->turn;
    for (int i = 0; i < g->r.length; i++) {
        int lv = p->cell[i] < 0 ? -p->cell[i] : p->cell[i];
        if (lv > g->cap) return false;
        if (lv) put_node(g, s, i, p->cell[i] < 0, lv);
    }
    for (int i = 0; i < g->r.length; i++) { /* the same at the root, see expand() */
        int lv = s->level[i + 1];
        if (lv == g->cap && lv < g->r.level_max && lv < s->energy[is_own(s, 1, i)]) return false;
    }
    if (g->r.capture != PLSEARCH_TAKEOVER) /* the bounds rely on it */
        return popcount(s->own[0]) <= g->r.nodes && popcount(s->own[1]) <= g->r.nodes;
    return true;
}

/* Values for the first player, 2 where unknown, of states in play. */
static int values_of(plsearch *x, const state *states, int count, int *values) {
    int lowest_goal = x->g.draws ? 0 : 1;
    int open = count;
    for (int i = 0; i < count; i++) values[i] = 2;
    if (count <= 0) return PLSEARCH_OK;
    target *targets = calloc((size_t)count, sizeof *targets);
    if (!targets) return PLSEARCH_NO_MEMORY;
    for (x->goal = 1; x->goal >= lowest_goal && open > 0; x->goal--) {
        int n = 0;
        for (int i = 0; i < count; i++)
            if (values[i] == 2) targets[n++].s = states[i];
        settle_targets(x, targets, n);
        bool all = true;
        open = n = 0;
        for (int i = 0; i < count; i++) {
            if (values[i] != 2) continue;
            int owner = atomic_load(&targets[n++].owner);
            if (owner == 0) values[i] = x->goal;
            else if (owner == 1 && x->goal == lowest_goal) values[i] = -1;
            else open++;
            if (owner == NOBODY) all = false;
        }
        if (!all) break;
    }
    free(targets);
    if (atomic_load(&x->off_scale)) return PLSEARCH_BAD_POSITION;
    return open ? PLSEARCH_STOPPED : PLSEARCH_OK;
}

/* Whose turn it is, given that a player who cannot act is skipped; false when
 * neither can. */
static bool settle_turn(const game *g, state *s) {
    if (can_act(g, s, s->turn)) return true;
    s->turn = (int8_t)(1 - s->turn);
    return can_act(g, s, s->turn);
}

int plsearch_solve(plsearch *x, const plsearch_position *p, int *value) {
    state s;
    *value = 2;
    if (!load_state(&x->g, p, &s)) return PLSEARCH_BAD_POSITION;
    begin_call(x);
    if (settle_turn(&x->g, &s)) return values_of(x, &s, 1, value);
    *value = final_value(&x->g, &s);
    return PLSEARCH_OK;
}

void plsearch_clear(plsearch *x) {
    big_clear(x->t.memory, x->t.bytes);
    memset(x->history, 0, sizeof x->history);
    memset(x->reply, 0, sizeof x->reply);
    for (int i = 0; i < x->threads; i++) {
        worker *w = &x->workers[i];
        w->positions = w->stored = 0;
        show_counters(w);
    }
}

static int list_moves(const game *g, const state *s, plsearch_move *moves) {
    int me = s->turn, e = s->energy[me], n = 0;
    bool more = popcount(s->own[me]) < g->r.nodes;
    for (int cell = 0; cell < g->r.length; cell++) {
        int lv = s->level[cell + 1];
        if (is_own(s, me, cell) && lv < g->r.level_max && lv < e) moves[n++] = (plsearch_move){ cell, 0, 2 };
        for (int k = 1; !lv && more && k <= e && k <= g->place_max; k++) moves[n++] = (plsearch_move){ cell, k, 2 };
    }
    return n;
}

int plsearch_analyse(plsearch *x, const plsearch_position *p, plsearch_move *moves, int *count) {
    const game *g = &x->g;
    state s;
    *count = 0;
    if (!load_state(g, p, &s)) return PLSEARCH_BAD_POSITION;
    begin_call(x);
    if (!settle_turn(g, &s)) return PLSEARCH_OK;
    int n = *count = list_moves(g, &s, moves);
    int side = s.turn == 0 ? 1 : -1; /* values for the mover are side * those for the first player */
    state *open = calloc((size_t)n, sizeof *open);
    if (!open) return PLSEARCH_NO_MEMORY;
    int which[MAX_MOVES], values[MAX_MOVES], left = 0;
    for (int i = 0; i < n; i++) {
        state *c = &open[left];
        *c = s;
        switch (play(g, c, moves[i].cell, moves[i].level)) {
        case CHAIN_DONE: moves[i].value = 1; break;
        case OVER: moves[i].value = side * final_value(g, c); break;
        default: which[left++] = i;
        }
    }
    int rc = values_of(x, open, left, values);
    for (int k = 0; k < left; k++) moves[which[k]].value = values[k] == 2 ? 2 : side * values[k];
    free(open);
    return rc;
}
