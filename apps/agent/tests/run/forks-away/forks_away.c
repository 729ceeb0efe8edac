/* SPDX-License-Identifier: MIT */
/*
 * A fixture for tests: forks a process away from the tree of the server that it then becomes. It does so at once, or when
 * its test says with a signal that there is load. With --reaper 0 the process is not even left to the server by the kernel.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* In a session of its own, with a parent that is gone when this returns. */
static void fork_away(void)
{
	pid_t middle = fork();
	if (middle == 0) {
		if (fork() == 0) {
			setsid();
			while (clock() < CLOCKS_PER_SEC / 10)
				;
			for (;;)
				pause();
		}
		_exit(0);
	}
	waitpid(middle, NULL, 0);
}

int main(int argc, char **argv)
{
	long signaled = 0, reaper = 1;
	int at = 1;

	for (; at + 1 < argc && strcmp(argv[at], "--") != 0; at += 2) {
		if (strcmp(argv[at], "--signaled") == 0)
			signaled = atol(argv[at + 1]);
		else if (strcmp(argv[at], "--reaper") == 0)
			reaper = atol(argv[at + 1]);
	}
	if (!reaper)
		prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
	if (!signaled) {
		fork_away();
	} else {
		sigset_t load, before;
		int which;
		sigemptyset(&load);
		sigaddset(&load, SIGUSR1);
		sigprocmask(SIG_BLOCK, &load, &before);
		if (fork() == 0) {
			sigwait(&load, &which);
			fork_away();
			for (;;)
				pause();
		}
		sigprocmask(SIG_SETMASK, &before, NULL);
	}
	execv(argv[at + 1], argv + at + 1);
	perror("forks-away: cannot become the server");
	return 1;
}
