// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks.rules;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One entry of the rule book.
 *
 * @param id under which code and tests name it
 * @param page of the book it stands on, which is also how its id begins
 * @param text in our own words
 * @param sources where it is from; at least one where we did not choose it
 * @param ownChoice why we decided it ourselves, if we did
 * @param profile on what of an adapter's profile it depends
 * @param noCode why no code names it
 * @param noTest why no test names it
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
                    + "|OFA 2018 [\\w -]+" // slides
                    + "|mstflint \\w+\\.(?:cpp|db) \\w+"
                    + "|MLNX_OFED (?:4\\.9|EoIB) [\\w ]+"); // a page of the manual

    /** The captures it is from, as files without ending. */
    List<String> captures() {
        return named(RECORDED);
    }

    /** The cases of rdma-unit-test it is from. */
    List<String> suiteCases() {
        return named(SUITE);
    }

    /** The tests of rdma-core it is from. */
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

    /** Sources of which nobody could say where to look. */
    List<String> vagueSources() {
        return sources.stream()
                .filter(source -> !RECORDED.matcher(source).matches()
                        && !SUITE.matcher(source).matches()
                        && !NEIGHBOUR.matcher(source).matches()
                        && !OTHERS.matcher(source).matches())
                .toList();
    }
}
