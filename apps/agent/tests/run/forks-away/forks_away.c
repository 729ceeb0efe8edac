/* SPDX-License-Identifier: MIT */
/*
 * A fixture for tests: forks a process away from the tree of the server that it then becomes. It does so at once, or when
 * so many threads of the server have worked for a while each: it has one for each connection, and verification asks much on
 * a few only, a load on all. With --reaper 0 the process is not even left to the server by the kernel.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Time on a processor; how busy the host is does not change it, as it does any time on the clock. */
static const long long worked_ns = 1000000;

static int has_worked(pid_t pid, const char *thread)
{
	char path[96];
	long long on_cpu_ns = 0;
	snprintf(path, sizeof path, "/proc/%d/task/%.20s/schedstat", (int)pid, thread);
	FILE *file = fopen(path, "re");
	if (file == NULL)
		return 0;
	if (fscanf(file, "%lld", &on_cpu_ns) != 1)
		on_cpu_ns = 0;
	fclose(file);
	return on_cpu_ns >= worked_ns;
}

static long working_threads_of(pid_t pid)
{
	char path[64];
	long count = 0;
	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	DIR *dir = opendir(path);
	for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;)
		count += entry->d_name[0] != '.' && has_worked(pid, entry->d_name);
	if (dir)
		closedir(dir);
	return count;
}

static void wait_for_load(pid_t server, long threads)
{
	while (working_threads_of(server) < threads)
		usleep(10000);
}

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
	long after = 0, reaper = 1;
	int at = 1;

	for (; at + 1 < argc && strcmp(argv[at], "--") != 0; at += 2) {
		if (strcmp(argv[at], "--after") == 0)
			after = atol(argv[at + 1]);
		else if (strcmp(argv[at], "--reaper") == 0)
			reaper = atol(argv[at + 1]);
	}
	if (!reaper)
		prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
	if (after == 0) {
		fork_away();
	} else {
		pid_t server = getpid();
		if (fork() == 0) {
			wait_for_load(server, after);
			fork_away();
			for (;;)
				pause();
		}
	}
	execv(argv[at + 1], argv + at + 1);
	perror("forks-away: cannot become the server");
	return 1;
}
