// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.adapter.completion.SlotOwner;
import org.hcaactors.interleavings.Interleavings;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A work ring with posting threads and a queue pair that drains, completes, resets and seals it. */
@Param(name = "work", gen = IntGen.class, conf = "1:9")
@Tag("judge")
public class WorkRingThreadsTest {
    private static final long PUT = 0;

    private final WorkRing<Integer> ring = new WorkRing<>(2, () -> {});
    private SlotOwner owner = ring.owner();
    private int polled;

    @Operation
    public long post(int work) {
        long slot = ring.claim();
        if (slot < 0) {
            return slot;
        }
        ring.fill(slot, work);
        return PUT;
    }

    /** Two entries with one bell; returns the number of those that found a slot. */
    @Operation
    public int postBoth(int work) {
        return ring.putAll(List.of(work, work + 10), entry -> entry).count();
    }

    /** Two entries or none; returns their number. */
    @Operation
    public int postWhole(int work) {
        return ring.putWhole(List.of(work, work + 10), entry -> entry).count();
    }

    /** Like the queue pair, which polls again while the ring is behind. */
    @Operation(nonParallelGroup = "queue pair")
    public List<Integer> drain() {
        List<Integer> drained = new ArrayList<>();
        do {
            for (Integer work = ring.poll(); work != null; work = ring.poll()) {
                drained.add(work);
                polled++;
            }
            ring.rest();
        } while (ring.hasUnpolled());
        return drained;
    }

    @Operation(nonParallelGroup = "queue pair")
    public int complete() {
        int freed = polled;
        polled = 0;
        owner.release(freed);
        return freed;
    }

    /** Completions from before a reset free nothing. */
    @Operation(nonParallelGroup = "queue pair")
    public void reset() {
        ring.reset();
        owner.release(polled);
        owner = ring.owner();
        polled = 0;
    }

    @Operation(nonParallelGroup = "queue pair")
    public void seal() {
        ring.seal();
    }

    @Test
    void everyClaimedSlotIsDrainedOnceAndLaterPostsAreRefused() {
        Interleavings.of(WorkRingThreadsTest.class)
                .thread("post 1", "post 2")
                .thread("post 3")
                .thread("drain", "complete")
                .after("drain", "post 4")
                .inAnyOrder();
    }

    @Test
    void entriesOfAListAreDrainedNextToEachOther() {
        Interleavings.of(WorkRingThreadsTest.class)
                .thread("postBoth 1")
                .thread("post 2")
                .thread("drain", "complete", "drain")
                .after("drain", "complete", "postBoth 3", "drain")
                .inAnyOrder();
    }

    @Test
    void bothEntriesOfAWholeListAreDrainedOrNone() {
        Interleavings.of(WorkRingThreadsTest.class)
                .thread("postWhole 1")
                .thread("post 2")
                .thread("drain", "complete", "drain")
                .after("drain", "complete", "postWhole 3", "drain")
                .inAnyOrder();
    }

    @Test
    void aSealedRingGivesNoSlotAndLosesNothingThatHasOne() {
        Interleavings.of(WorkRingThreadsTest.class)
                .thread("post 1")
                .thread("post 2")
                .thread("seal", "drain")
                .after("post 3", "drain")
                .inAnyOrder();
    }

    /** Sealing allocates the slots if no entry has been put yet, with no capacity. */
    @Test
    void aRingSealedDuringItsFirstPutsLosesNoEntry() {
        Interleavings.of(WorkRingThreadsTest.class)
                .thread("post 1", "post 2")
                .thread("seal", "drain")
                .after("post 3", "drain")
                .inAnyOrder();
    }

    @Test
    void completionsFromBeforeAResetFreeNoSlot() {
        Interleavings.of(WorkRingThreadsTest.class)
                .before("post 1", "drain")
                .thread("post 2", "post 3")
                .thread("reset", "drain", "complete")
                .after("post 4", "post 5")
                .inAnyOrder();
    }

    @Test
    void entriesAreDrainedOnceOnConcurrentThreads() {
        Interleavings.of(WorkRingThreadsTest.class)
                .thread("post 1", "post 2", "post 3")
                .thread("post 4", "post 5")
                .thread("drain", "complete", "drain")
                .after("drain")
                .atOnce();
    }
}
