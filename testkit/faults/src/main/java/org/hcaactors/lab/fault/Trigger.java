// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.util.SplittableRandom;

/** Selects which of the packets, notifications or verb calls that a fault matches are struck; they are counted from 1. */
public sealed interface Trigger {
    String words();

    /**
     * @param n number among those that match, from 1
     * @param random used by {@link Chance}
     */
    default boolean strikes(long n, SplittableRandom random) {
        return switch (this) {
            case Always always -> true;
            case Nth nth -> n == nth.n;
            case First first -> n <= first.count;
            case Every every -> n % every.n == 0;
            case Chance chance -> random.nextDouble() < chance.probability;
        };
    }

    record Always() implements Trigger {
        @Override
        public String words() {
            return "every time";
        }
    }

    /** The n-th only. */
    record Nth(long n) implements Trigger {
        public Nth {
            atLeastOne(n, "the ordinal number of the match");
        }

        @Override
        public String words() {
            return "the " + ordinal(n);
        }
    }

    /** Each of the first {@code count}. */
    record First(long count) implements Trigger {
        public First {
            atLeastOne(count, "the number of matches");
        }

        @Override
        public String words() {
            return "the first " + count;
        }
    }

    /** The n-th, the 2n-th, ... */
    record Every(long n) implements Trigger {
        public Every {
            atLeastOne(n, "the interval between matches");
        }

        @Override
        public String words() {
            return "each " + ordinal(n) + " time";
        }
    }

    /** Each independently, with that probability. */
    record Chance(double probability) implements Trigger {
        public Chance {
            if (!(probability >= 0 && probability <= 1)) {
                throw new IllegalArgumentException("the probability is " + probability + "; 0 to 1 is allowed");
            }
        }

        @Override
        public String words() {
            return "with probability " + probability;
        }
    }

    private static String ordinal(long n) {
        boolean teen = n % 100 / 10 == 1;
        return n + (teen ? "th" : n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : n % 10 == 3 ? "rd" : "th");
    }

    private static void atLeastOne(long number, String what) {
        if (number < 1) {
            throw new IllegalArgumentException(what + " is " + number + "; at least 1 is allowed");
        }
    }
}
