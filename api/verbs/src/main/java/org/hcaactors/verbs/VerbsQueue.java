// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.util.function.Consumer;
import org.hcaactors.api.completion.CompletionCursor;
import org.hcaactors.api.completion.CompletionPoller;
import org.hcaactors.api.completion.CompletionQueue;

/**
 * A completion queue of the program ({@code ibv_cq}). The C side polls it on one thread at a time; entries are written as
 * records into its memory.
 */
final class VerbsQueue implements Opened {
    private final OpenedDevice device;
    private final CompletionQueue queue;
    private final long cookie;
    private final WallClock clock;
    private final CompletionPoller poller;
    private final boolean mlx5;
    private final Consumer<CompletionCursor> writer = this::write;
    private long next;

    VerbsQueue(OpenedDevice device, CompletionQueue queue, long cookie, WallClock clock) {
        this.device = device;
        this.queue = queue;
        this.cookie = cookie;
        this.clock = clock;
        poller = queue.poller();
        mlx5 = DeviceWords.isMlx5(device.context().adapter().profile());
    }

    @Override
    public OpenedDevice device() {
        return device;
    }

    CompletionQueue queue() {
        return queue;
    }

    /** What the C side knows it by. */
    long cookie() {
        return cookie;
    }

    /**
     * Writes up to {@code max} entries as records.
     *
     * @return number of entries
     */
    int poll(int max, long records) {
        next = records;
        return poller.poll(max, writer);
    }

    private void write(CompletionCursor entry) {
        CompletionRecord.write(next, entry.completion(), clock, mlx5);
        next += Calls.Completion.BYTES;
    }
}
