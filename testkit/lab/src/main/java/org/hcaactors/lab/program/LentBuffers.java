// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.program;

import java.util.List;
import java.util.concurrent.Future;
import org.hcaactors.adapter.audit.WorkQueue;
import org.jspecify.annotations.Nullable;

/**
 * Buffers of one posted request or receive, which the adapter owns from the posting until the program has polled its
 * completion.
 */
final class LentBuffers {
    /**
     * The adapter's use of the buffers.
     *
     * @param words {@code SEND}, {@code receive}
     * @param writes true if the adapter writes to them; otherwise it only reads
     * @param atomic true if the adapter writes the result of an atomic, which programs may ignore
     */
    record Use(String words, boolean writes, boolean atomic) {
        static final Use RECEIVE = new Use("receive", true, false);
    }

    final WorkQueue queue;
    final long workId;
    final Use use;
    final boolean signaled;
    /** The program's line that posted it; empty if there is none. */
    final String line;

    /** The buffers as bytes of the process. */
    private List<OwnedRange> ranges = List.of();

    private @Nullable Future<?> stage;
    private boolean back;

    LentBuffers(WorkQueue queue, long workId, Use use, boolean signaled, String line) {
        this.queue = queue;
        this.workId = workId;
        this.use = use;
        this.signaled = signaled;
        this.line = line;
    }

    void has(List<OwnedRange> bytes) {
        ranges = bytes;
    }

    List<OwnedRange> ranges() {
        return ranges;
    }

    /** Notes that the completion is given to a stage instead of a queue. */
    void endsIn(Future<?> pending) {
        stage = pending;
    }

    boolean hasStage() {
        return stage != null;
    }

    boolean isDone() {
        return stage != null && stage.isDone();
    }

    void comesBack() {
        back = true;
    }

    /** True if the program has the buffers back. If the queue is closed, no completion is expected. */
    boolean isBack() {
        return back || queue.owner().isClosed();
    }

    /** {@code receive 7 of a/srq-3, posted at Store.start(Store.java:31)}. */
    @Override
    public String toString() {
        return use.words + " " + workId + " of " + queue.adapter() + "/" + (queue.shared() ? "srq" : "qp")
                + queue.number() + (line.isEmpty() ? "" : ", posted at " + line);
    }
}
