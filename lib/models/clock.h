/* clock.h: the clock of the day, which several functions show. */
#ifndef SELKIE_MODELS_CLOCK_H
#define SELKIE_MODELS_CLOCK_H

#include "system.h"

/* When it was looked at last, with fractions and without, and whether the program has set it. The one without may be late by
 * a tick. */
struct clock_day {
    long fine, coarse;
    int part;
    _Bool set;
};
extern struct clock_day __selkie_day;

/* Linux counts nanoseconds, in 63 bits. */
#define CLOCK_LATEST ((long)(sizeof(long) == 8 ? 9223372036 : 2147483647))

#endif
