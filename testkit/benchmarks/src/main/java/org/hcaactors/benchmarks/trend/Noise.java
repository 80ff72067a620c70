// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Tells a change from noise by the ranks of rounds (the test of Mann and Whitney, exact, two-sided, equal values sharing their
 * ranks): how often chance alone would part them as far. It asks nothing of how rounds are spread, so one bad round on a busy
 * machine decides nothing.
 */
public final class Noise {
    /** What all comparisons of a run together may say by chance: once in twenty runs. */
    static final double CHANCE_OF_A_RUN = 0.05;

    private Noise() {}

    /** How often two draws of one kind, as many as these, would be parted at least as far; 1 if either is empty. */
    static double chance(double[] some, double[] others) {
        long[] ranks = doubledRanks(
                DoubleStream.concat(Arrays.stream(some), Arrays.stream(others)).toArray());
        long sum = Arrays.stream(ranks, 0, some.length).sum();
        long mean = (long) some.length * (ranks.length + 1);
        double[] ways = ways(ranks, some.length);
        double all = 0;
        double asFar = 0;
        for (int each = 0; each < ways.length; each++) {
            all += ways[each];
            if (Math.abs(each - mean) >= Math.abs(sum - mean)) {
                asFar += ways[each];
            }
        }
        return asFar / all;
    }

    /** Of each value the number of smaller ones and of those not greater, and 1: twice its rank. */
    private static long[] doubledRanks(double[] values) {
        return Arrays.stream(values)
                .mapToLong(value -> 1
                        + Arrays.stream(values).filter(other -> other < value).count()
                        + Arrays.stream(values).filter(other -> other <= value).count())
                .toArray();
    }

    /** In how many ways so many of the ranks make each sum. */
    private static double[] ways(long[] ranks, int taken) {
        int max = (int) Arrays.stream(ranks).sum();
        double[][] ways = new double[taken + 1][max + 1];
        ways[0][0] = 1;
        for (long rank : ranks) {
            for (int many = taken; many >= 1; many--) {
                for (int sum = max; sum >= rank; sum--) {
                    ways[many][sum] += ways[many - 1][sum - (int) rank];
                }
            }
        }
        return ways[taken];
    }

    /** What one of so many comparisons may say by chance. */
    static double max(int comparisons) {
        return CHANCE_OF_A_RUN / Math.max(1, comparisons);
    }

    /** So many rounds can tell something from chance: if none of the one kind lies between those of the other. */
    static boolean canTell(int rounds, int others, int comparisons) {
        double[] low = IntStream.range(0, rounds).mapToDouble(i -> i).toArray();
        double[] high =
                IntStream.range(rounds, rounds + others).mapToDouble(i -> i).toArray();
        return chance(low, high) <= max(comparisons);
    }

    /** The least rounds of either kind that can tell. */
    static int minRounds(int comparisons) {
        int rounds = 1;
        while (!canTell(rounds, rounds, comparisons)) {
            rounds++;
        }
        return rounds;
    }

    /** IllegalArgumentException if there are none. */
    static double median(double[] values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("no values have no median");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
