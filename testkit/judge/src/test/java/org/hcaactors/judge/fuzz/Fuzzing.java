// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Rounds and random numbers of fuzz tests: the same in every run. {@code -Dfuzz.rounds=100000} runs more, {@code -Dfuzz.seed=2}
 * others.
 */
final class Fuzzing {
    /** Integers at which arithmetic overflows, and their neighbours. */
    static final List<String> NUMBERS = List.of(
            "0",
            "1",
            "-1",
            "7",
            "8",
            "63",
            "255",
            "256",
            "4096",
            "65535",
            "65536",
            "16777215",
            "16777216",
            "2147483647",
            "2147483648",
            "-2147483648",
            "4294967295",
            "4294967296",
            "9007199254740993",
            "4611686018427387904",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808",
            "18446744073709551615");

    private static final long SEED = Long.getLong("fuzz.seed", 1);

    private Fuzzing() {}

    static int rounds(int usual) {
        return Integer.getInteger("fuzz.rounds", usual);
    }

    /** Returns the random numbers of one round, so that a failed round can be repeated alone. */
    static SplittableRandom random(String what, int round) {
        return new SplittableRandom(SEED * 1_000_003 + what.hashCode() * 31L + round);
    }

    static <T> T one(List<T> of, SplittableRandom random) {
        return of.get(random.nextInt(of.size()));
    }

    /** Results of the rounds; failures in the same place are reported once. */
    static final class Tally {
        private static final int LONGEST = 6_000;

        private final String what;
        private final Map<String, String> failures = new LinkedHashMap<>();
        int worked;
        int refused;

        Tally(String what) {
            this.what = what;
        }

        void failed(int round, Throwable reason, Supplier<String> input) {
            String place = Arrays.stream(reason.getStackTrace())
                    .filter(frame -> frame.getClassName().startsWith("org.hcaactors.")
                            && !frame.getClassName().contains(".fuzz."))
                    .findFirst()
                    .map(StackTraceElement::toString)
                    .orElse("");
            failures.computeIfAbsent(reason.getClass().getName() + " at " + place, any -> {
                String text = input.get();
                return "round " + round + ": " + reason + "\n" + text.substring(0, Math.min(LONGEST, text.length()));
            });
        }

        /**
         * Checks that nothing failed, and that at least a twentieth each worked and was refused, so that both paths are tested.
         */
        void check(int rounds) {
            assertThat(failures).as(what).isEmpty();
            assertThat(worked).as(what).isGreaterThan(rounds / 20);
            assertThat(refused).as(what).isGreaterThan(rounds / 20);
            System.out.printf("fuzz: %s, %d rounds, %d worked, %d were refused%n", what, rounds, worked, refused);
        }
    }
}
