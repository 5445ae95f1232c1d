/* A strategy in C: prefers moves whose text is longest, as a stand-in for real thought.
 *
 *     cc -shared -fPIC -I include -o longest.so examples/strategies/longest.c
 *     woodstock match connect-four lib:./longest.so random
 */
#include <string.h>

#include "woodstock_strategy.h"

int woodstock_version(void) { return WOODSTOCK_STRATEGY_VERSION; }

int woodstock_start(const woodstock_match *match) {
    (void)match;
    return 0;
}

int woodstock_play(const woodstock_turn *turn) {
    int best = 0;
    for (int i = 1; i < turn->legal_count; ++i)
        if (strlen(turn->legal[i]) > strlen(turn->legal[best])) best = i;
    return best;
}

int woodstock_stop(int goal) {
    (void)goal;
    return 0;
}
