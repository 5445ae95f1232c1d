/* A strategy for woodstock in any language that can make a shared library with these four C functions.
 *
 * woodstock loads the library into a process of its own: a crash or an endless loop loses the move, not the match.
 * All texts are UTF-8 and end with a zero byte; they belong to woodstock and live until the function returns.
 * Functions are called one at a time, from one thread. A return value other than 0 counts as a failure of the player.
 */
#ifndef WOODSTOCK_STRATEGY_H
#define WOODSTOCK_STRATEGY_H

#ifdef __cplusplus
extern "C" {
#endif

#define WOODSTOCK_STRATEGY_VERSION 1

/* What is told before the first turn. `rules` is the rulesheet as KIF. */
typedef struct woodstock_match {
  const char* match_id;
  const char* role;
  const char* rules;
  double start_clock_s;
  double play_clock_s;
  unsigned long long seed;
} woodstock_match;

/* What is told at each turn. Moves and fluents are KIF terms such as (mark 2 2).

   If the rules hide things (`sees`), a strategy is told what its role knows: `last_moves` has its own last move alone,
   and `fluents` has what it saw of the last joint move, as (sees role percept). At the first turn `fluents` is the
   initial state, which everybody knows. */
typedef struct woodstock_turn {
  int turn;            /* 1 at the first */
  int last_move_count; /* 0 at the first turn, else one for each role, in role order */
  const char* const* last_moves;
  int fluent_count; /* what holds in the state */
  const char* const* fluents;
  int legal_count; /* the legal moves of the strategy's own role */
  const char* const* legal;
  double seconds; /* time left for the answer */
} woodstock_turn;

/* Return WOODSTOCK_STRATEGY_VERSION. */
int woodstock_version(void);

/* Prepare; `match->start_clock_s` at most. Texts must be copied to be kept. */
int woodstock_start(const woodstock_match* match);

/* Return the index of the chosen move in `turn->legal`, or a negative number for a failure. */
int woodstock_play(const woodstock_turn* turn);

/* The match is over. `goal` is the strategy's own, -1 where it has none or the match was broken off. */
int woodstock_stop(int goal);

#ifdef __cplusplus
}
#endif

#endif
