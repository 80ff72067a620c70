// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.srq;

import org.hcaactors.adapter.flow.EventDetail;
import org.hcaactors.api.work.Receive;
import org.hcaactors.interleavings.Interleavings;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Programs that post and arm, and queue pairs that take and give back, on several threads. */
@Param(name = "id", gen = IntGen.class, conf = "1:9")
@Param(name = "limit", gen = IntGen.class, conf = "1:4")
@Tag("judge")
public class SharedReceivesThreadsTest {
    private final SharedReceives shared = new SharedReceives();

    @Operation
    public void post(int id) {
        shared.add(Receive.of(id));
    }

    /** Returns the number of the receive; 0 for none. */
    @Operation
    public long take() {
        Receive taken = shared.take();
        return taken == null ? 0 : taken.id();
    }

    @Operation
    public void putBack(int id) {
        shared.putBack(Receive.of(id));
    }

    @Operation
    public void arm(int limit) {
        shared.arm(limit);
    }

    /** Returns how many were left when the limit was reached; -1 if it was not. */
    @Operation
    public int reached() {
        return shared.reached().map(EventDetail.BelowLimit::receives).orElse(-1);
    }

    @Operation
    public void close() {
        shared.close();
    }

    // rules receive-shared-order, receive-returned
    @Test
    void eachReceiveIsTakenOnce() {
        Interleavings.of(SharedReceivesThreadsTest.class)
                .before("post 1")
                .thread("take", "putBack 1")
                .thread("post 2", "take")
                .after("take", "take")
                .inAnyOrder();
    }

    // rules receive-limit, receive-limit-at-once
    @Test
    void aLimitIsReachedOnceWithTheSizeOfThatStep() {
        Interleavings.of(SharedReceivesThreadsTest.class)
                .before("post 1", "post 2", "post 3")
                .thread("take", "reached")
                .thread("take", "reached")
                .thread("arm 2")
                .after("reached")
                .inAnyOrder();
    }

    @Test
    void nothingIsTakenOfAQueueInError() {
        Interleavings.of(SharedReceivesThreadsTest.class)
                .before("post 1", "post 2")
                .thread("take", "take")
                .thread("close")
                .after("take")
                .inAnyOrder();
    }
}
