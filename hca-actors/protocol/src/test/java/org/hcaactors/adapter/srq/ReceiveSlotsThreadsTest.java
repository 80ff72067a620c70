// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.srq;

import org.hcaactors.interleavings.Interleavings;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Posting, completing and resizing concurrently: never more slots are taken than exist. */
@Param(name = "slots", gen = IntGen.class, conf = "1:4")
@Tag("judge")
public class ReceiveSlotsThreadsTest {
    private final ReceiveSlots receives = new ReceiveSlots(3);

    @Operation
    public boolean take() {
        return receives.take();
    }

    @Operation
    public int outstanding() {
        return receives.outstanding();
    }

    @Operation
    public int capacity() {
        return receives.capacity();
    }

    /** Only posted receives complete. */
    @Operation(nonParallelGroup = "completions")
    public boolean complete() {
        boolean any = receives.outstanding() > 0;
        if (any) {
            receives.release(1);
        }
        return any;
    }

    @Operation
    public boolean resize(int slots) {
        return receives.resize(slots);
    }

    @Test
    void aResizeBelowTheTakenSlotsIsRefused() {
        Interleavings.of(ReceiveSlotsThreadsTest.class)
                .before("take")
                .thread("take")
                .thread("resize 1")
                .after("outstanding", "capacity")
                .inAnyOrder();
    }

    @Test
    void concurrentTakesNeverExceedTheCapacity() {
        Interleavings.of(ReceiveSlotsThreadsTest.class)
                .before("take")
                .thread("take", "take")
                .thread("take")
                .thread("complete")
                .after("outstanding")
                .inAnyOrder();
    }
}
