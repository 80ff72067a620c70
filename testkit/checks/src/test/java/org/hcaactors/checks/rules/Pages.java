// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks.rules;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.stream.Stream;

/** The pages of the rule book that the build generates. */
record Pages(List<Rule> rules, List<Citation> citations) {
    /** From where the pages stand. */
    private static final String BOOK = "../../../docs/rules/";

    private static final String MADE = "The build makes this page of [the rule book](%sREADME.md).".formatted(BOOK);

    /** Returns the page that lists, rule by rule, the code, the testkit's uses and the tests. */
    String matrix() {
        StringBuilder page = new StringBuilder("# Rules, code and tests\n\n" + MADE + "\n");
        String last = "";
        for (Rule rule : rules) {
            if (!rule.page().equals(last)) {
                last = rule.page();
                page.append("\n## [%s](%s%s.md)\n\n| rule | code | bench | tests |\n|---|---|---|---|\n"
                        .formatted(last, BOOK, last));
            }
            page.append("| %s | %s | %s | %s |\n"
                    .formatted(
                            link(rule),
                            places(rule, Citation.Kind.CODE),
                            places(rule, Citation.Kind.BENCH),
                            places(rule, Citation.Kind.TEST)));
        }
        return page.toString();
    }

    private String places(Rule rule, Citation.Kind kind) {
        return citations.stream()
                .filter(citation -> citation.rule().equals(rule.id()) && citation.kind() == kind)
                .map(Citation::place)
                .distinct()
                .sorted()
                .collect(joining(", "));
    }

    String ownChoices() {
        Stream<String> choices = rules.stream()
                .flatMap(rule -> rule.ownChoice().stream()
                        .map(reason -> "- %s: %s *Why:* %s\n".formatted(link(rule), rule.text(), reason)));
        return "# Our own choices\n\nWhere no standard, no published source and no capture says what an adapter does, or they say different"
                + " things, or a\nmodel needs a bound that hardware has somewhere else. " + MADE + "\n\n"
                + choices.collect(joining());
    }

    private static String link(Rule rule) {
        return "[%s](%s%s.md#%s)".formatted(rule.id(), BOOK, rule.page(), rule.id());
    }
}
