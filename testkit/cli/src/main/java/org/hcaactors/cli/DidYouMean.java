// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Suggestions for mistyped names. */
final class DidYouMean {
    /** Maximum number of wrong, missing or additional letters. */
    private static final int MAX_WRONG = 3;

    /** Maximum length of a name that is compared. */
    private static final int LONGEST = 64;

    private DidYouMean() {}

    /** Returns a question to append to an error message; empty if no candidate is similar. */
    static String hint(String typed, Stream<String> candidates) {
        return nearest(typed, candidates)
                .map(near -> "; did you mean " + near + "?")
                .orElse("");
    }

    private static Optional<String> nearest(String typed, Stream<String> candidates) {
        if (typed.length() > LONGEST) {
            return Optional.empty();
        }
        String lower = typed.toLowerCase(Locale.ROOT);
        int max = Math.min(MAX_WRONG, (typed.length() + 2) / 3);
        return candidates
                .filter(each -> distance(lower, each.toLowerCase(Locale.ROOT)) <= max)
                .min(Comparator.comparingInt(each -> distance(lower, each.toLowerCase(Locale.ROOT))));
    }

    /** Returns the Levenshtein distance. */
    static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
