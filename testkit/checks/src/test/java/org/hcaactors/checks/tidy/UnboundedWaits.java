// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks.tidy;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hcaactors.checks.SourceCode;

/**
 * Waits without a bound in a source. JUnit eventually interrupts a test, but a loop and a join() ignore that. In Kotlin
 * {@code await()} suspends a coroutine: only the {@code runBlocking} around it blocks, or a world, which stops when no
 * task is left.
 */
final class UnboundedWaits {
    private static final Pattern WAIT = Pattern.compile("\\.(?:join|acquire|acquireUninterruptibly|waitFor|wait)\\(\\)"
            + "|::join\\b"
            + "|toCompletableFuture\\(\\)\\.get\\(\\)"
            + "|Thread\\.(?:onSpinWait|yield)\\(\\)"
            + "|LockSupport\\.park\\(");

    /** A {@code Waiter}'s await() gives a stage and does not wait: by its name, as no type is known here. */
    private static final Pattern JAVA_AWAIT = Pattern.compile("(?<![wW]aiter|thread)\\.await\\(\\)");

    private static final Pattern RUN_BLOCKING = Pattern.compile("\\brunBlocking\\s*\\{(?!\\s*withTimeout\\()");

    private static final Pattern BOUND = Pattern.compile("\\.orTimeout\\(.*");

    private static final Pattern STATEMENT_ENDS = Pattern.compile("[;{}]");

    private UnboundedWaits() {}

    /** The words of each. */
    static List<String> in(SourceFile source) {
        String code = SourceCode.of(source.text());
        return Stream.concat(
                        statements(code).flatMap(each -> WAIT.matcher(each).results()),
                        source.isJava()
                                ? statements(code)
                                        .flatMap(
                                                each -> JAVA_AWAIT.matcher(each).results())
                                : RUN_BLOCKING.matcher(code).results())
                .map(MatchResult::group)
                .toList();
    }

    /** Without white space, and without what has a bound. */
    private static Stream<String> statements(String code) {
        return STATEMENT_ENDS
                .splitAsStream(code)
                .map(statement -> statement.replaceAll("\\s+", ""))
                .map(statement -> BOUND.matcher(statement).replaceFirst(""));
    }
}
