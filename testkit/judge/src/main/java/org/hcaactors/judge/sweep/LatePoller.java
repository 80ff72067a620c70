// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.HostMemory;

/** Polls a completion queue occasionally, and checks that each completion brings the expected bytes, and not earlier. */
final class LatePoller {
    /**
     * Expected data of a request's completion.
     *
     * @param place offset in the memory
     * @param bytes expected bytes; empty: any
     * @param carried true if the bytes must not be there before the poll
     * @param status expected status
     */
    record Due(long place, byte[] bytes, boolean carried, Status status) {
        static final Due NOTHING = new Due(0, new byte[0], false, Status.SUCCESS);

        Due endingWith(Status other) {
            return new Due(place, bytes, carried, other);
        }

        boolean isThere(HostMemory memory) {
            return Arrays.equals(memory.read(place, bytes.length), bytes);
        }

        /** True if nothing was written there. An atomic's result has eight bytes, which may be 0. */
        boolean isEmpty(HostMemory memory) {
            byte[] now = memory.read(place, Math.max(Long.BYTES, bytes.length));
            return Arrays.equals(now, new byte[now.length]);
        }
    }

    private final SweepContext sweep;
    private final CompletionQueue queue;
    private final HostMemory memory;
    private final Map<Long, Due> due = new TreeMap<>();
    private int polls;
    private boolean lost;

    LatePoller(SweepContext sweep, CompletionQueue queue, HostMemory memory) {
        this.sweep = sweep;
        this.queue = queue;
        this.memory = memory;
    }

    int unpolled() {
        return due.size();
    }

    /** True if its queue pair is lost and does nothing more. */
    boolean isLost() {
        return lost;
    }

    void lose() {
        lost = true;
    }

    void expect(long workId, Due what) {
        due.put(workId, what);
    }

    void poll(int max) {
        polls++;
        sweep.promises()
                .verb(
                        "a late poll",
                        queue.poll(max)
                                .whenComplete((taken, refused) -> polls--)
                                .thenAccept(taken -> taken.forEach(this::check)),
                        Errno.EIO,
                        Errno.EINVAL);
    }

    /** Checks that the place of an unpolled completion is still empty. */
    void look(SplittableRandom random) {
        if (polls > 0 || due.isEmpty() || !canCheck()) {
            return;
        }
        Due any = List.copyOf(due.values()).get(random.nextInt(due.size()));
        if (any.carried && !any.isEmpty(memory)) {
            throw new AssertionError("the inline data of a completion are at " + any.place
                    + " before the completion was polled from " + queue);
        }
    }

    /** True if the memory can be checked: a forged packet may write, and a process that lost power has no memory. */
    private boolean canCheck() {
        return sweep.severity().compareTo(FaultSeverity.HOSTILE) < 0 && memory.isMapped();
    }

    private void check(WorkCompletion completion) {
        Due what = due.remove(completion.workId());
        if (!canCheck() || what == null) {
            lost |= !completion.isSuccess();
            return;
        }
        if (completion.status() != what.status) {
            if (completion.isSuccess() || sweep.severity() == FaultSeverity.CALM) {
                throw new AssertionError(completion + " was polled, but the status must be " + what.status);
            }
            lost = true;
        } else if (completion.isSuccess() && !what.isThere(memory)) {
            throw new AssertionError(completion + " was polled, but its data are not in the buffer");
        } else if (!completion.isSuccess() && !what.isEmpty(memory)) {
            throw new AssertionError(completion + " failed, but data are in the buffer");
        }
    }

    /** Polls everything, at rest, and checks that every request has completed. */
    void pollAll() {
        try {
            List<WorkCompletion> taken;
            do {
                taken = sweep.world().await(queue.poll(100));
                taken.forEach(this::check);
            } while (!taken.isEmpty());
        } catch (VerbsException refused) {
            lost = true;
        }
        if (!lost && canCheck() && !due.isEmpty()) {
            throw new AssertionError(queue + " is empty, but requests " + due.keySet() + " never completed");
        }
    }
}
