// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks.rules;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One entry of the rule book.
 *
 * @param id identifier that code and tests cite
 * @param page page of the book with the rule, which is also the beginning of its id
 * @param text the rule's text
 * @param sources its sources; at least one unless it is our own choice
 * @param ownChoice the reason if it is our own choice
 * @param profile the property of an adapter's profile on which it depends
 * @param noCode the reason if no code cites it
 * @param noTest the reason if no test cites it
 */
record Rule(
        String id,
        String page,
        String text,
        List<String> sources,
        Optional<String> ownChoice,
        Optional<String> profile,
        Optional<String> noCode,
        Optional<String> noTest) {
    static final String ID = "[a-z][a-z0-9]*(?:-[a-z0-9]+)+";

    private static final Pattern RECORDED = Pattern.compile("capture ([\\w/]+)");
    private static final Pattern SUITE = Pattern.compile("rdma-unit-test (\\w+\\.\\w+)");
    private static final Pattern NEIGHBOUR = Pattern.compile("rdma-core (test_[\\w.]+)");
    private static final Pattern OTHERS = Pattern.compile(
            "IBA (?:annex )?[A-Z]?\\d[\\d.-]*" // a clause
                    + "|man \\w+\\(\\d\\)"
                    + "|(?:Linux|MLNX_OFED|UCX) \\w+\\.[ch] \\w+" // a function, a structure or a table
                    + "|Wireshark [\\w-]+\\.c \\w+"
                    + "|(?:rdma-core|libmlx5|UCX) [\\w/]+\\.[ch] \\w+"
                    + "|US \\d{7} claim \\d+" // a patent
                    + "|RFC \\d{3,4}(?: \\d[\\d.]*)?"
                    + "|OFA 2018 [\\w -]+" // slides
                    + "|mstflint \\w+\\.(?:cpp|db) \\w+"
                    + "|MLNX_OFED (?:4\\.9|EoIB) [\\w ]+"); // a page of the manual

    /** Returns the captures it is from, as file names without extension. */
    List<String> captures() {
        return named(RECORDED);
    }

    /** Returns the cases of rdma-unit-test it is from. */
    List<String> suiteCases() {
        return named(SUITE);
    }

    /** Returns the tests of rdma-core it is from. */
    List<String> neighbourTests() {
        return named(NEIGHBOUR);
    }

    private List<String> named(Pattern form) {
        return sources.stream()
                .map(form::matcher)
                .filter(found -> found.matches())
                .map(found -> found.group(1))
                .toList();
    }

    /** Returns sources that do not say where to look. */
    List<String> vagueSources() {
        return sources.stream()
                .filter(source -> !RECORDED.matcher(source).matches()
                        && !SUITE.matcher(source).matches()
                        && !NEIGHBOUR.matcher(source).matches()
                        && !OTHERS.matcher(source).matches())
                .toList();
    }
}
