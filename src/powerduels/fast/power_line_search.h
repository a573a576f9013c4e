/* Exact solver for the game Power Line: plain C interface.
 *
 * A solver handle holds one rule set, one table of settled positions and the
 * memory of its worker threads; there is no other state.  The table is kept
 * between calls, so later positions of the same game come cheaper.  Calls on
 * one handle must not overlap, except plsearch_cancel() and
 * plsearch_progress(), which any thread may use while a search runs.
 *
 * Results are exact: worth for the first or the moving player, no heuristics.
 */
#ifndef PLSEARCH_H
#define PLSEARCH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PLSEARCH_MAX_LENGTH = 21,
    PLSEARCH_MAX_LEVEL = 10,
    PLSEARCH_MAX_CRITERIA = 8,
    PLSEARCH_MAX_MOVES = 256
};

/* How captures work (rulings L3 and L4). */
enum { PLSEARCH_MOVER = 0, PLSEARCH_MUTUAL = 1, PLSEARCH_TAKEOVER = 2 };

/* Criteria of `ending` (ruling L1), in the order they are applied.  The last
 * one must be FIRST, SECOND or DRAW, and only the last may be. */
enum {
    PLSEARCH_CHAIN = 0,  /* longest own run */
    PLSEARCH_POWER = 1,  /* sum of own levels on the line */
    PLSEARCH_ENERGY = 2, /* energy left */
    PLSEARCH_NODES = 3,  /* own nodes on the line */
    PLSEARCH_FIRST = 4,  /* the player who went first wins */
    PLSEARCH_SECOND = 5,
    PLSEARCH_DRAW = 6
};

typedef struct {
    int32_t length;     /* cells on the line, 2..21 */
    int32_t nodes;      /* a player with fewer own nodes on the line may place, 1..21 */
    int32_t energy;     /* 1..99 */
    int32_t head_start; /* 0..20, for the first player */
    int32_t place_max;  /* 1..10 */
    int32_t level_max;  /* 1..10 */
    int32_t chain;      /* 2..length: so many in a row win at once */
    int32_t capture;    /* PLSEARCH_MOVER, ... */
    int32_t criteria;   /* how many entries of `ending` are used */
    int32_t ending[PLSEARCH_MAX_CRITERIA];
} plsearch_rules;

/* A position that play can reach from the empty line. */
typedef struct {
    int8_t cell[PLSEARCH_MAX_LENGTH]; /* 0 empty, +level first player's, -level second's */
    int8_t turn;                      /* 0 or 1; skipped if that player cannot act */
    int16_t energy[2];                /* energy left */
} plsearch_position;

typedef struct {
    int32_t cell;
    int32_t level; /* level placed, or 0 for an upgrade */
    int32_t value; /* for the player who moves: 1 win, 0 draw, -1 loss, 2 unknown */
} plsearch_move;

typedef struct plsearch plsearch;

typedef struct {
    uint64_t positions;   /* searched since plsearch_new() or plsearch_clear() */
    uint64_t stored;      /* table entries in use, about */
    uint64_t table_bytes;
} plsearch_counters;

enum {
    PLSEARCH_OK = 0,
    PLSEARCH_STOPPED = 1,      /* cancelled, or a limit was reached */
    PLSEARCH_BAD_POSITION = 2, /* not one of this rule set */
    PLSEARCH_NO_MEMORY = 3
};

/* NULL when the rules are out of range or memory is missing.  The table takes
 * table_bytes, of which the system gives only what is used; threads 1..64. */
plsearch *plsearch_new(const plsearch_rules *rules, size_t table_bytes, int threads);
void plsearch_free(plsearch *);

/* Forgets everything found so far. */
void plsearch_clear(plsearch *);

/* Limits of each following call, 0 for none. */
void plsearch_limit(plsearch *, uint64_t positions, double seconds);

/* The worth of a position for the first player: 1, 0 or -1; 2 if unknown. */
int plsearch_solve(plsearch *, const plsearch_position *, int *value);

/* All legal moves of the player who must act, and the worth of each; none when
 * the game is over.  `moves` needs room for PLSEARCH_MAX_MOVES entries.  When
 * stopped, the values found until then are there and the others are 2.  In
 * a position where somebody has won by `chain` the answer means nothing. */
int plsearch_analyse(plsearch *, const plsearch_position *, plsearch_move *moves, int *count);

/* Any thread: 1 makes the running call, and every later one, end within some
 * milliseconds; 0 takes that back. */
void plsearch_cancel(plsearch *, int cancel);

/* Any thread. */
void plsearch_progress(const plsearch *, plsearch_counters *);

#ifdef __cplusplus
}
#endif
#endif
