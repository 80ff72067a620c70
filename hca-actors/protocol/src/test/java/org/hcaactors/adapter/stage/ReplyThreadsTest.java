// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stage;

import java.util.concurrent.atomic.AtomicInteger;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.interleavings.Interleavings;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Several threads give an answer at once: the first counts, and is taken once. */
@Param(name = "value", gen = IntGen.class, conf = "1:3")
@Tag("judge")
public class ReplyThreadsTest {
    private final Reply<Integer> reply = new Reply<>(Runnable::run);
    private final AtomicInteger taken = new AtomicInteger();

    @Operation
    public void succeed(int value) {
        reply.succeed(value, taken::incrementAndGet);
    }

    @Operation
    public void fail() {
        reply.fail(VerbsException.invalid("refused"));
    }

    @Operation
    public int taken() {
        return taken.get();
    }

    @Test
    void oneAnswerIsGivenAndTakenOnce() {
        Interleavings.of(ReplyThreadsTest.class)
                .thread("succeed 1")
                .thread("succeed 2")
                .thread("fail")
                .after("taken")
                .inAnyOrder();
    }
}
