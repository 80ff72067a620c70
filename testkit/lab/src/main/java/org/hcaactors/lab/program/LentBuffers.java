// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.program;

import java.util.List;
import java.util.concurrent.Future;
import org.hcaactors.adapter.audit.WorkQueue;
import org.jspecify.annotations.Nullable;

/** What one posted request, or receive, lets an adapter have, from its posting until its program has taken its completion. */
final class LentBuffers {
    /**
     * What the adapter does with it.
     *
     * @param words {@code SEND}, {@code receive}
     * @param writes the adapter writes to it; else it only reads
     * @param atomic what it writes is the result of an atomic, which programs may not care for
     */
    record Use(String words, boolean writes, boolean atomic) {
        static final Use RECEIVE = new Use("receive", true, false);
    }

    final WorkQueue queue;
    final long workId;
    final Use use;
    final boolean signaled;
    /** The line of the program that posted it; empty where there is none. */
    final String line;

    /** Bytes of its process. */
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

    /** Its completion goes to a stage, and to no queue. */
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

    /** Nobody can post there any more, so nobody waits for it either. */
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
