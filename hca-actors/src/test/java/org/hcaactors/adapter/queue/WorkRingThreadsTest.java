package org.hcaactors.adapter.queue;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.adapter.Interleavings;
import org.hcaactors.adapter.completion.SlotOwner;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** A work ring under posting threads, and the queue pair that drains, completes, resets and seals it. */
@Param(name = "work", gen = IntGen.class, conf = "1:9")
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

    /** As the queue pair does, which comes again while it is behind. */
    @Operation(nonParallelGroup = "queue pair")
    public List<Integer> drain() {
        List<Integer> drained = new ArrayList<>();
        do {
            ring.clearBell();
            for (Integer work = ring.poll(); work != null; work = ring.poll()) {
                drained.add(work);
                polled++;
            }
        } while (ring.isBehind());
        return drained;
    }

    @Operation(nonParallelGroup = "queue pair")
    public int complete() {
        int freed = polled;
        polled = 0;
        owner.release(freed);
        return freed;
    }

    /** Completions of before free nothing any more. */
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
    void whatFoundASlotIsDrainedOnceAndInOrderAndNothingFindsOneInASealedRing() {
        Interleavings.ordered(3, 2).check(WorkRingThreadsTest.class);
    }

    @Test
    void theSameOnThreadsThatRunAtOnce() {
        Interleavings.stressed(3, 3).check(WorkRingThreadsTest.class);
    }
}
