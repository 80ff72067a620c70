// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnboundedWaitsTest {
    private static List<String> in(String code) {
        return UnboundedWaits.in(new SourceFile("a/src/test/java/A.java", code));
    }

    private static List<String> inKotlin(String code) {
        return UnboundedWaits.in(new SourceFile("a/src/test/kotlin/A.kt", code));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "latch.await();",
                "done.get().await();",
                "assertThat(future.join()).isOne();",
                "int code = process.waitFor();",
                "stage\n    .toCompletableFuture()\n    .join();",
                "stage.toCompletableFuture().get();",
                "while (!over) Thread.onSpinWait();",
                "for (; !over; Thread.yield()) {}",
                "threads.forEach(Thread::join);",
                "if (slots.tryAcquire()) { slots.acquire(); }",
                "assertThatThrownBy(() -> stage.join()).orTimeout(1);",
            })
    void aWaitWithoutABoundIsFoundInEveryForm(String code) {
        assertThat(in(code)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "latch.await(1, TimeUnit.SECONDS);",
                "stage.orTimeout(1, TimeUnit.SECONDS)\n    .join();",
                "CompletionStage<WakeCause> wait = ground.waiter.await();",
                "String words = String.join(\",\", list);",
                "// latch.await();",
                "say(\"latch.await();\");",
            })
    void aBoundedWaitIsNotReported(String code) {
        assertThat(in(code)).isEmpty();
    }

    @Test
    void kotlinsAwaitIsBoundedByItsCoroutine() {
        assertThat(inKotlin("runBlocking { withTimeout(9) { stage.await() } }")).isEmpty();
        assertThat(inKotlin("runBlocking { stage.await() }")).hasSize(1);
        assertThat(inKotlin("val code = process.waitFor()")).hasSize(1);
    }
}
