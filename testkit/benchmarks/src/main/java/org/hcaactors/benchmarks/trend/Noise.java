// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Separates changes from noise by the ranks of the rounds (Mann-Whitney test, exact, two-sided, equal values sharing their
 * ranks): the probability that chance alone separates them as far. It assumes no distribution of the rounds, so one bad round
 * on a busy machine does not decide.
 */
public final class Noise {
    /** Significance level of all comparisons of a run together: once in twenty runs. */
    static final double CHANCE_OF_A_RUN = 0.05;

    private Noise() {}

    /**
     * Returns the probability that two samples of one distribution, of these sizes, are separated at least as far; 1 if either
     * is empty.
     */
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

    /** Returns, for each value, the number of smaller values, plus the number of values not greater, plus 1: twice its rank. */
    private static long[] doubledRanks(double[] values) {
        return Arrays.stream(values)
                .mapToLong(value -> 1
                        + Arrays.stream(values).filter(other -> other < value).count()
                        + Arrays.stream(values).filter(other -> other <= value).count())
                .toArray();
    }

    /** Returns the number of ways in which the given number of the ranks make each sum. */
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

    /** Returns the significance level of one comparison, given their number. */
    static double max(int comparisons) {
        return CHANCE_OF_A_RUN / Math.max(1, comparisons);
    }

    /** True if a result of the given number of rounds can be significant: if the ranges of the two samples do not overlap. */
    static boolean canBeSignificant(int rounds, int others, int comparisons) {
        double[] low = IntStream.range(0, rounds).mapToDouble(i -> i).toArray();
        double[] high =
                IntStream.range(rounds, rounds + others).mapToDouble(i -> i).toArray();
        return chance(low, high) <= max(comparisons);
    }

    /** Returns the minimum number of rounds of either sample that can be significant. */
    static int minRounds(int comparisons) {
        int rounds = 1;
        while (!canBeSignificant(rounds, rounds, comparisons)) {
            rounds++;
        }
        return rounds;
    }

    /** Returns the median; throws IllegalArgumentException if there are no values. */
    static double median(double[] values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("a median requires at least one value");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
