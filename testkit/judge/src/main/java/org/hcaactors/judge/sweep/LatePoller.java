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

/** Polls a completion queue now and then, and knows what each completion brings, and that it brings it no sooner. */
final class LatePoller {
    /**
     * What a request's completion brings.
     *
     * @param place where, in the memory
     * @param bytes that are there then; none: any
     * @param carried they are not there before
     * @param status that it ends with
     */
    record Due(long place, byte[] bytes, boolean carried, Status status) {
        static final Due NOTHING = new Due(0, new byte[0], false, Status.SUCCESS);

        Due endingWith(Status other) {
            return new Due(place, bytes, carried, other);
        }

        boolean isThere(HostMemory memory) {
            return Arrays.equals(memory.read(place, bytes.length), bytes);
        }

        /** An atomic's result has eight bytes, which may be 0. */
        boolean isEmpty(HostMemory memory) {
            byte[] now = memory.read(place, Math.max(Long.BYTES, bytes.length));
            return Arrays.equals(now, new byte[now.length]);
        }
    }

    private final SweepContext setting;
    private final CompletionQueue queue;
    private final HostMemory memory;
    private final Map<Long, Due> due = new TreeMap<>();
    private int polls;
    private boolean lost;

    LatePoller(SweepContext setting, CompletionQueue queue, HostMemory memory) {
        this.setting = setting;
        this.queue = queue;
        this.memory = memory;
    }

    int unpolled() {
        return due.size();
    }

    /** Its queue pair does nothing more. */
    boolean isLost() {
        return lost;
    }

    void loses() {
        lost = true;
    }

    void expect(long workId, Due what) {
        due.put(workId, what);
    }

    void poll(int max) {
        polls++;
        setting.promises()
                .verb(
                        "a late poll",
                        queue.poll(max)
                                .whenComplete((taken, refused) -> polls--)
                                .thenAccept(taken -> taken.forEach(this::taken)),
                        Errno.EIO,
                        Errno.EINVAL);
    }

    /** One that nobody polls now is as empty as it was. */
    void look(SplittableRandom random) {
        if (polls > 0 || due.isEmpty() || !isTrue()) {
            return;
        }
        Due any = List.copyOf(due.values()).get(random.nextInt(due.size()));
        if (any.carried && !any.isEmpty(memory)) {
            throw new AssertionError(
                    "what goes with a completion is at " + any.place + " before anybody has polled " + queue);
        }
    }

    /** A forger may write, and who lost power has no memory to ask. */
    private boolean isTrue() {
        return setting.severity().compareTo(FaultSeverity.HOSTILE) < 0 && memory.isMapped();
    }

    private void taken(WorkCompletion completion) {
        Due what = due.remove(completion.workId());
        if (!isTrue() || what == null) {
            lost |= !completion.isSuccess();
            return;
        }
        if (completion.status() != what.status) {
            if (completion.isSuccess() || setting.severity() == FaultSeverity.CALM) {
                throw new AssertionError(completion + " is got, and " + what.status + " is due");
            }
            lost = true;
        } else if (completion.isSuccess() && !what.isThere(memory)) {
            throw new AssertionError(completion + " is got, and what it brings is not there");
        } else if (!completion.isSuccess() && !what.isEmpty(memory)) {
            throw new AssertionError(completion + " is got, and something is there all the same");
        }
    }

    /** At rest: everything that was asked for is done. */
    void pollAll() {
        try {
            List<WorkCompletion> taken;
            do {
                taken = setting.world().await(queue.poll(100));
                taken.forEach(this::taken);
            } while (!taken.isEmpty());
        } catch (VerbsException gone) {
            lost = true;
        }
        if (!lost && isTrue() && !due.isEmpty()) {
            throw new AssertionError(queue + " has nothing more, and " + due.keySet() + " never completed");
        }
    }
}
