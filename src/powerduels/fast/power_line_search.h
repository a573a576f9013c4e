/* Exact solver for the game Power Line: plain C interface.
 *
 * A solver handle holds one rule set, one transposition table and its worker
 * threads' memory.  All calls on one handle must come from one thread at a
 * time, except plsearch_stop() and plsearch_progress(), which any thread may
 * call while a search runs.
 */
#ifndef PLSEARCH_H
#define PLSEARCH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PLSEARCH_MAX_LENGTH = 21, PLSEARCH_MAX_LEVEL = 10, PLSEARCH_MAX_CRITERIA = 8 };

/* How captures work (rulings L3 and L4). */
enum { PLSEARCH_MOVER = 0, PLSEARCH_MUTUAL = 1, PLSEARCH_TAKEOVER = 2 };

/* Criteria of `ending`, in the order they are applied; the last one must be
 * FIRST, SECOND or DRAW and only the last may be. */
enum {
    PLSEARCH_CHAIN = 0,
    PLSEARCH_POWER = 1,
    PLSEARCH_ENERGY = 2,
    PLSEARCH_NODES = 3,
    PLSEARCH_FIRST = 4,
    PLSEARCH_SECOND = 5,
    PLSEARCH_DRAW = 6
};

typedef struct {
    int32_t length;     /* cells on the line, 2..21 */
    int32_t nodes;      /* own nodes allowed on the line when placing, 1..21 */
    int32_t energy;     /* 1..99 */
    int32_t head_start; /* 0..20, for the first player */
    int32_t place_max;  /* 1..10 */
    int32_t level_max;  /* 1..10 */
    int32_t chain;      /* 2..length: so many in a row win at once */
    int32_t capture;    /* PLSEARCH_MOVER, ... */
    int32_t criteria;   /* how many entries of `ending` are used */
    int32_t ending[PLSEARCH_MAX_CRITERIA];
} plsearch_rules;

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
    uint64_t positions;   /* positions searched since plsearch_new() */
    uint64_t stored;      /* table entries in use (approximate) */
    uint64_t table_bytes;
} plsearch_counters;

enum {
    PLSEARCH_OK = 0,
    PLSEARCH_STOPPED = 1,      /* stop flag, node or time limit */
    PLSEARCH_BAD_POSITION = 2,
    PLSEARCH_NO_MEMORY = 3
};

/* NULL when the rules are out of range or memory is missing. */
plsearch *plsearch_new(const plsearch_rules *rules, size_t table_bytes, int threads);
void plsearch_free(plsearch *);
void plsearch_clear(plsearch *);

/* Limits of each following call; 0 means none. */
void plsearch_limit(plsearch *, uint64_t positions, double seconds);

/* The worth of a position for the first player: 1, 0 or -1. */
int plsearch_solve(plsearch *, const plsearch_position *, int *value);

/* All legal moves of the player who must act, and the worth of each.  Returns
 * PLSEARCH_OK or PLSEARCH_STOPPED (then some values are 2, unknown). `moves`
 * needs room for PLSEARCH_MAX_MOVES entries. */
enum { PLSEARCH_MAX_MOVES = 256 };
int plsearch_analyse(plsearch *, const plsearch_position *, plsearch_move *moves, int *count);

/* Any thread: ends the running call soon. Reset at the start of a call. */
void plsearch_stop(plsearch *);
void plsearch_progress(const plsearch *, plsearch_counters *);

#ifdef __cplusplus
}
#endif
#endif
