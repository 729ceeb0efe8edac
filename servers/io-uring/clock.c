/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "clock.h"

#ifndef CLOCK_MONOTONIC_COARSE /* macOS */
#define CLOCK_MONOTONIC_COARSE CLOCK_MONOTONIC
#define CLOCK_REALTIME_COARSE CLOCK_REALTIME
#endif

/* Called once a turn of the loop: both reads stay in the vDSO, so no request pays a system call for the time. */
void clock_tick(struct clock *clock)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	uint64_t ms = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
	if (ms == clock->ms && clock->date[0] != '\0')
		return; /* both clocks go on together, at the kernel's tick */
	clock->ms = ms;
	clock_gettime(CLOCK_REALTIME_COARSE, &now);
	if (now.tv_sec == clock->second && clock->date[0] != '\0')
		return;
	struct tm utc;
	clock->second = now.tv_sec;
	gmtime_r(&now.tv_sec, &utc);
	strftime(clock->date, sizeof clock->date, "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &utc);
}
