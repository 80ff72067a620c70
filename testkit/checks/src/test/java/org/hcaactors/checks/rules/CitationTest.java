// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which texts count as the name of a rule, and how an entry of the rule book is parsed. */
class CitationTest {
    private static final String CODE = "hca-actors/src/main/java/org/hcaactors/adapter/queue/RcResponder.java";
    private static final String TESTS = "hca-actors/src/test/java/org/hcaactors/adapter/queue/RcResponderTest.java";

    private static List<String> named(String text) {
        return Citation.in(CODE, text).stream().map(Citation::rule).toList();
    }

    @Test
    void ruleCitationsAreReadAlsoAcrossLines() {
        assertThat(named("/** Once (rule rc-nak-once; IBA 9.7.5). */")).containsExactly("rc-nak-once");
        assertThat(named("// rules rc-nak-once, rc-psn-order and rc-ack"))
                .containsExactly("rc-nak-once", "rc-psn-order", "rc-ack");
        assertThat(named("    /**\n     * Told once (rule\n     * rc-nak-once, rc-ack).\n     */"))
                .containsExactly("rc-nak-once", "rc-ack");
        assertThat(named("        // told once: rule rc-nak-once,\n        // rc-ack\n"))
                .containsExactly("rc-nak-once", "rc-ack");
    }

    @Test
    void theWordRuleAloneIsNoCitation() {
        assertThat(named("/** The rule of thumb, and rules that rc-nak-once has. */"))
                .isEmpty();
    }

    @Test
    void aTestHoldsARuleByItsMethodOrAsAWhole() {
        String text = """
                /** Answers: rule rc-ack. */
                class RcResponderTest {
                    // rule rc-nak-once
                    @Test
                    void aGapIsReportedOnce() {
                        first();
                        // rule rc-psn-order
                        second();
                    }
                }
                """;
        assertThat(Citation.in(TESTS, text))
                .extracting(citation -> citation.rule() + " " + citation.place())
                .containsExactly(
                        "rc-ack RcResponderTest",
                        "rc-nak-once RcResponderTest.aGapIsReportedOnce",
                        "rc-psn-order RcResponderTest.aGapIsReportedOnce");
        assertThat(Citation.in(TESTS, text)).extracting(Citation::kind).containsOnly(Citation.Kind.TEST);
    }

    @Test
    void aPageOfPrivateNotesIsNoRule() {
        assertThat(Citation.astray(CODE, "/** As rc-proto" + "col 2.3 has it, and memo" + "ry\n * 1.4; IBA 9.7.5. */"))
                .hasSize(2);
        assertThat(Citation.astray(CODE, "/** As IBA 9.7.5 has it; memory 0x14, completion 1. */"))
                .isEmpty();
    }

    @Test
    void citationsInTheJudgeNeitherImplementNorTestARule() {
        String judge = "testkit/judge/src/main/java/org/hcaactors/judge/invariant/EveryGapGetsNak.java";
        assertThat(Citation.in(judge, "// rule rc-nak-once"))
                .containsExactly(new Citation("rc-nak-once", Citation.Kind.BENCH, "EveryGapGetsNak"));
        assertThat(Citation.in("README.md", "rule rc-nak-once"))
                .containsExactly(new Citation("rc-nak-once", Citation.Kind.PAGE, "README"));
    }

    @Test
    void anEntryHasItsTextAndItsSources() {
        String page = """
                # Reliable

                ## rc-nak-once

                A gap is told
                once.

                - Source: IBA 9.7.5; Linux rxe_resp.c check_psn; somebody
                - Profile: not where `naksBehindRnrNak`
                - No test: nobody
                  can see it

                ## rc-ack

                An answer.

                - Own choice: cheap
                """;
        List<Rule> rules = RuleBook.read("rc", page);
        assertThat(rules).extracting(Rule::id).containsExactly("rc-nak-once", "rc-ack");
        assertThat(rules.getFirst().text()).isEqualTo("A gap is told once.");
        assertThat(rules.getFirst().vagueSources()).containsExactly("somebody");
        assertThat(rules.getFirst().profile()).contains("not where `naksBehindRnrNak`");
        assertThat(rules.getFirst().noTest()).contains("nobody can see it");
        assertThat(rules.getFirst().noCode()).isEmpty();
        assertThat(rules.getLast().ownChoice()).contains("cheap");
    }
}
