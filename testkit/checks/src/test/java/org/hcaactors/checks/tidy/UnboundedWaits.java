// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks.tidy;

import java.util.List;
import java.util.regex.Pattern;
import org.hcaactors.checks.SourceCode;

/** Waits without a bound in a source. JUnit eventually interrupts a test, but a loop and a join() ignore that. */
final class UnboundedWaits {
    /** A {@code Waiter}'s await() gives a stage and does not wait: by its name, as no type is known here. */
    private static final Pattern WAIT = Pattern.compile("\\.(?:join|acquire|acquireUninterruptibly|waitFor|wait)\\(\\)"
            + "|(?<![wW]aiter|thread)\\.await\\(\\)"
            + "|::join\\b"
            + "|toCompletableFuture\\(\\)\\.get\\(\\)"
            + "|Thread\\.(?:onSpinWait|yield)\\(\\)"
            + "|LockSupport\\.park\\(");

    private static final Pattern BOUND = Pattern.compile("\\.orTimeout\\(.*");

    private static final Pattern STATEMENT_ENDS = Pattern.compile("[;{}]");

    private UnboundedWaits() {}

    /** The words of each, in their order. */
    static List<String> in(SourceFile source) {
        return STATEMENT_ENDS
                .splitAsStream(SourceCode.of(source.text()))
                .map(statement -> statement.replaceAll("\\s+", ""))
                .map(statement -> BOUND.matcher(statement).replaceFirst(""))
                .flatMap(statement -> WAIT.matcher(statement).results())
                .map(found -> found.group())
                .toList();
    }
}
