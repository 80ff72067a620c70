// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.completion;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * Description of a completion queue to create ({@code ibv_create_cq}, {@code ibv_create_cq_ex}). Immutable: each method returns
 * a new description, safe for several threads. It is checked when the queue is created.
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

    /** At least {@code entries} entries, and defaults otherwise. */
    public static CqDescription of(int entries) {
        return new CqDescription(
                entries,
                Optional.empty(),
                0,
                false,
                false,
                OptionalInt.empty(),
                Optional.empty(),
                Placement.Chosen.UNSPECIFIED);
    }

    /** Reports to this channel when armed. */
    public CqDescription reportingTo(CompletionChannel requested) {
        return new CqDescription(
                entries, Optional.of(requested), vector, ignoreOverrun, timestamps, entryBytes, waiter, placement);
    }

    /** Sets the completion vector of its events, from 0. */
    public CqDescription onVector(int requested) {
        return new CqDescription(entries, channel, requested, ignoreOverrun, timestamps, entryBytes, waiter, placement);
    }

    /** A full queue overwrites its oldest entry instead of moving to error. */
    public CqDescription ignoringOverrun() {
        return new CqDescription(entries, channel, vector, true, timestamps, entryBytes, waiter, placement);
    }

    /** Adds timestamps to completions. */
    public CqDescription withTimestamps() {
        return new CqDescription(entries, channel, vector, ignoreOverrun, true, entryBytes, waiter, placement);
    }

    /**
     * Sets the entry size to 64 or 128 bytes, regardless of the environment ({@code MLX5_CQE_SIZE}); EINVAL for another number,
     * EOPNOTSUPP above the adapter's maximum. An entry of 128 bytes can carry 64 bytes of data, one of 64 bytes can carry 32.
     */
    public CqDescription withEntryBytes(int bytes) {
        return new CqDescription(
                entries, channel, vector, ignoreOverrun, timestamps, OptionalInt.of(bytes), waiter, placement);
    }

    // rule notify-create
    /**
     * Wakes this thread by AS-notify when armed ({@code IBV_EXP_CQ_AS_NOTIFY}); a channel gets an event only if the
     * notification cannot be delivered. EOPNOTSUPP if the adapter's firmware has no AS-notify, EINVAL for a thread of another
     * process, or one that has ended.
     */
    public CqDescription withAsNotify(Waiter creator) {
        return new CqDescription(
                entries, channel, vector, ignoreOverrun, timestamps, entryBytes, Optional.of(creator), placement);
    }

    /**
     * Places it on this shard of its network, together with the queue pairs whose send completions it receives; EINVAL if there
     * is no such shard.
     */
    public CqDescription onShard(int shard) {
        return at(new Placement.On(shard));
    }

    /** Places it on the next shard of its network, in rotation. */
    public CqDescription onNextShard() {
        return at(Placement.Chosen.NEXT);
    }

    /** Sets the placement. */
    public CqDescription at(Placement requested) {
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

    /** Entry size in bytes; empty: by the environment, 64 by default. */
    public OptionalInt entryBytes() {
        return entryBytes;
    }

    /** Thread that it wakes by AS-notify; empty if none. */
    public Optional<Waiter> waiter() {
        return waiter;
    }

    /** Placement; UNSAID: shard 0. */
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
