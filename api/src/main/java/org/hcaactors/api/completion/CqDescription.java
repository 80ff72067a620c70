// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.completion;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * Describes a completion queue before it is created ({@code ibv_create_cq}, {@code ibv_create_cq_ex}). Immutable: each call
 * gives a new description, safe for several threads. What is asked for is judged when the queue is created.
 */
public final class CqDescription {
    private final int entries;
    private final Optional<CompletionChannel> channel;
    private final int vector;
    private final boolean ignoreOverrun;
    private final boolean timestamps;
    private final OptionalInt entryBytes;
    private final Optional<Waiter> waiter;
    private final Placement placement;

    private CqDescription(
            int entries,
            Optional<CompletionChannel> channel,
            int vector,
            boolean ignoreOverrun,
            boolean timestamps,
            OptionalInt entryBytes,
            Optional<Waiter> waiter,
            Placement placement) {
        this.entries = entries;
        this.channel = channel;
        this.vector = vector;
        this.ignoreOverrun = ignoreOverrun;
        this.timestamps = timestamps;
        this.entryBytes = entryBytes;
        this.waiter = waiter;
        this.placement = placement;
    }

    /** At least that many entries, and nothing else asked for. */
    public static CqDescription of(int entries) {
        return new CqDescription(
                entries,
                Optional.empty(),
                0,
                false,
                false,
                OptionalInt.empty(),
                Optional.empty(),
                Placement.Chosen.UNSAID);
    }

    /** When armed it reports to {@code requested}. */
    public CqDescription withChannel(CompletionChannel requested) {
        return new CqDescription(
                entries, Optional.of(requested), vector, ignoreOverrun, timestamps, entryBytes, waiter, placement);
    }

    /** Which of the adapter's event queues carries the report, from 0. */
    public CqDescription withVector(int requested) {
        return new CqDescription(entries, channel, requested, ignoreOverrun, timestamps, entryBytes, waiter, placement);
    }

    /** A full queue overwrites its oldest entry instead of failing. */
    public CqDescription withIgnoreOverrun() {
        return new CqDescription(entries, channel, vector, true, timestamps, entryBytes, waiter, placement);
    }

    /** Completions say when they were written. */
    public CqDescription withTimestamps() {
        return new CqDescription(entries, channel, vector, ignoreOverrun, true, entryBytes, waiter, placement);
    }

    /**
     * Each entry has 64 or 128 bytes, whatever the environment ({@code MLX5_CQE_SIZE}) says; EINVAL for another number, and
     * EOPNOTSUPP for more than the adapter has. An entry of 128 bytes has room for 64 bytes of data, one of 64 for 32.
     */
    public CqDescription withEntryBytes(int bytes) {
        return new CqDescription(
                entries, channel, vector, ignoreOverrun, timestamps, OptionalInt.of(bytes), waiter, placement);
    }

    // rule notify-create
    /**
     * When armed it wakes that thread by AS-notify ({@code IBV_EXP_CQ_AS_NOTIFY}); a channel, too, is told only where that can't
     * be delivered. EOPNOTSUPP where the adapter's firmware has no AS-notify, EINVAL for a thread of another process, or one
     * that has ended.
     */
    public CqDescription withAsNotify(Waiter creator) {
        return new CqDescription(
                entries, channel, vector, ignoreOverrun, timestamps, entryBytes, Optional.of(creator), placement);
    }

    /**
     * It lives on that shard of its network, and with it the queue pairs whose send completions it takes; EINVAL for one that
     * there is not.
     */
    public CqDescription withShard(int shard) {
        return withPlacement(new Placement.On(shard));
    }

    /** It lives on the next shard of its network, each of them in its turn. */
    public CqDescription withNextShard() {
        return withPlacement(Placement.Chosen.NEXT);
    }

    /** It lives there. */
    public CqDescription withPlacement(Placement requested) {
        return new CqDescription(entries, channel, vector, ignoreOverrun, timestamps, entryBytes, waiter, requested);
    }

    public int entries() {
        return entries;
    }

    public Optional<CompletionChannel> channel() {
        return channel;
    }

    public int vector() {
        return vector;
    }

    public boolean ignoreOverrun() {
        return ignoreOverrun;
    }

    public boolean timestamps() {
        return timestamps;
    }

    /** Empty: what the environment says, or else 64. */
    public OptionalInt entryBytes() {
        return entryBytes;
    }

    /** The thread that it wakes. */
    public Optional<Waiter> waiter() {
        return waiter;
    }

    /** Where it lives; unsaid: on shard 0. */
    public Placement placement() {
        return placement;
    }

    @Override
    public String toString() {
        return "completion queue, %d entries on vector %d%s%s%s%s%s%s"
                .formatted(
                        entries,
                        vector,
                        channel.map(each -> ", reporting to " + each.describe()).orElse(""),
                        ignoreOverrun ? ", ignoring overrun" : "",
                        timestamps ? ", with timestamps" : "",
                        entryBytes.isPresent() ? ", entries of " + entryBytes.getAsInt() + " bytes" : "",
                        waiter.map(each -> ", waking " + each.describe()).orElse(""),
                        placement.words());
    }
}
