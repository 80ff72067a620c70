/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program of MPI: a ring of sums, an allreduce, and without "two-sided" PUTs, GETs and atomics. The first process prints what came out.
 */
#include <mpi.h>
#include <stdio.h>

enum { WORDS = 20000, ROUNDS = 20 };

static int rank, count;

/* Each process adds its rank to every word, and passes them on. */
static long ring(void)
{
	static int words[WORDS];
	long sum = 0;

	for (int round = 0; round < ROUNDS; round++) {
		if (rank)
			MPI_Recv(words, WORDS, MPI_INT, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		for (int i = 0; i < WORDS; i++)
			words[i] += rank + 1;
		MPI_Send(words, WORDS, MPI_INT, (rank + 1) % count, 1, MPI_COMM_WORLD);
		if (!rank)
			MPI_Recv(words, WORDS, MPI_INT, count - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	for (int i = 0; i < WORDS; i++)
		sum += words[i];
	return sum;
}

static double reduced(void)
{
	static double mine[WORDS], all[WORDS];
	double sum = 0;

	for (int i = 0; i < WORDS; i++)
		mine[i] = rank + i;
	MPI_Allreduce(mine, all, WORDS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	for (int i = 0; i < WORDS; i++)
		sum += all[i];
	return sum;
}

/* Each process PUTs its rank into its neighbour's window, and adds to a counter of the first one. */
static long one_sided(long *counter)
{
	long *window, got = -1, one = 1, mine = rank, old;
	MPI_Win win;

	MPI_Win_allocate(2 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
	window[0] = window[1] = 0;
	MPI_Win_fence(0, win);
	MPI_Put(&mine, 1, MPI_LONG, (rank + 1) % count, 0, 1, MPI_LONG, win);
	MPI_Win_fence(0, win);
	MPI_Get(&got, 1, MPI_LONG, (rank + 1) % count, 0, 1, MPI_LONG, win);
	MPI_Win_fence(0, win);
	for (int i = 0; i < ROUNDS; i++) {
		MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
		MPI_Fetch_and_op(&one, &old, MPI_LONG, 0, 1, MPI_SUM, win);
		MPI_Win_unlock(0, win);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
	MPI_Get(counter, 1, MPI_LONG, 0, 1, 1, MPI_LONG, win);
	MPI_Win_unlock(0, win);
	MPI_Win_free(&win);
	return got;
}

int main(int argc, char **argv)
{
	long sum, got = -1, counter = 0, right;
	double total;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &count);
	sum = ring();
	total = reduced();
	if (argc == 1)
		got = one_sided(&counter);
	right = got == rank && counter == (long)ROUNDS * count;
	MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
	if (!rank)
		printf("%d processes: ring %ld, allreduce %.0f, one-sided right in %ld\n", count, sum, total, right);
	MPI_Finalize();
	return 0;
}
