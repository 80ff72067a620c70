// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.completion;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Description of a completion queue to create ({@code ibv_create_cq}, {@code ibv_create_cq_ex}). Immutable: each method returns
 * a new description, safe for several threads. It is checked when the queue is created.
 */
public final class CqDescription {
    private final Fields fields;

    private CqDescription(Fields fields) {
        this.fields = fields;
    }

    /** Written only by {@link #with}, before the new description exists. */
    private static final class Fields {
        private int entries;
        private Optional<CompletionChannel> channel = Optional.empty();
        private int vector;
        private boolean ignoreOverrun;
        private boolean timestamps;
        private OptionalInt entryBytes = OptionalInt.empty();
        private Optional<Waiter> waiter = Optional.empty();
        private Optional<LongConsumer> producerIndex = Optional.empty();
        private Placement placement = Placement.Chosen.UNSPECIFIED;

        private Fields() {}

        private Fields(Fields other) {
            entries = other.entries;
            channel = other.channel;
            vector = other.vector;
            ignoreOverrun = other.ignoreOverrun;
            timestamps = other.timestamps;
            entryBytes = other.entryBytes;
            waiter = other.waiter;
            producerIndex = other.producerIndex;
            placement = other.placement;
        }
    }

    /** At least {@code entries} entries, and defaults otherwise. */
    public static CqDescription of(int entries) {
        Fields fields = new Fields();
        fields.entries = entries;
        return new CqDescription(fields);
    }

    /** Reports to this channel when armed. */
    public CqDescription withChannel(CompletionChannel requested) {
        return with(now -> now.channel = Optional.of(requested));
    }

    /** Sets the completion vector of its events, from 0. */
    public CqDescription withVector(int requested) {
        return with(now -> now.vector = requested);
    }

    /** A full queue overwrites its oldest entry instead of moving to error. */
    public CqDescription withIgnoreOverrun() {
        return with(now -> now.ignoreOverrun = true);
    }

    /** Adds timestamps to completions. */
    public CqDescription withTimestamps() {
        return with(now -> now.timestamps = true);
    }

    /**
     * Sets the entry size to 64 or 128 bytes, regardless of the environment ({@code MLX5_CQE_SIZE}); EINVAL for another number,
     * EOPNOTSUPP above the adapter's maximum. An entry of 128 bytes can carry 64 bytes of data, one of 64 bytes can carry 32.
     */
    public CqDescription withEntryBytes(int bytes) {
        return with(now -> now.entryBytes = OptionalInt.of(bytes));
    }

    // rule notify-create
    /**
     * Wakes this thread by AS-notify when armed ({@code IBV_EXP_CQ_AS_NOTIFY}); a channel gets an event only if the
     * notification cannot be delivered. EOPNOTSUPP if the adapter's firmware has no AS-notify, EINVAL for a thread of another
     * process, or one that has ended.
     */
    public CqDescription withWaiter(Waiter creator) {
        return with(now -> now.waiter = Optional.of(creator));
    }

    // rule completion-producer-index
    /**
     * Passes the queue's producer index to this receiver: a number that grows by 1 with each entry that is written, also if it
     * overwrites another one, with each entry that a cancelled subscription or closed {@link CompletionReader} returns to the
     * queue, and when the queue enters the error state. It never decreases, and a resize does not change it; the first number
     * passed is 1 or more. A program that keeps the latest number where it can read it cheaply, as libmlx5 reads the ring,
     * needs no call to learn that there is nothing to poll:
     *
     * <ol>
     *   <li>read the latest number; if it is the one of step 3, there is nothing to poll;
     *   <li>{@linkplain CompletionPoller#poll poll};
     *   <li>if the poll passed fewer entries than its maximum, and nothing was thrown, keep the number of step 1.
     * </ol>
     *
     * A poll that begins after the number was passed finds every entry that it counts, unless another poll or a subscription
     * took it, or a reset of its queue pair removed it. It is passed before the entry's event: {@link CompletionQueue#arm} and
     * then these steps miss no entry.
     *
     * <p>Called on the adapter's thread, one call at a time, in order, from the creation of the queue to its destruction and
     * never after the stage of {@link CompletionQueue#destroy}. It must not block. Store the number with release semantics and
     * read it with acquire semantics. An exception is caught; the first of a queue is logged, and has no other effect.
     */
    public CqDescription withProducerIndex(LongConsumer receiver) {
        return with(now -> now.producerIndex = Optional.of(receiver));
    }

    /**
     * Places it on this shard of its network, together with the queue pairs whose send completions it receives; EINVAL if there
     * is no such shard.
     */
    public CqDescription withShard(int shard) {
        return withPlacement(new Placement.On(shard));
    }

    /** Places it on the next shard of its network, in rotation. */
    public CqDescription withNextShard() {
        return withPlacement(Placement.Chosen.NEXT);
    }

    /** Sets the placement. */
    public CqDescription withPlacement(Placement requested) {
        return with(now -> now.placement = requested);
    }

    public int entries() {
        return fields.entries;
    }

    public Optional<CompletionChannel> channel() {
        return fields.channel;
    }

    public int vector() {
        return fields.vector;
    }

    public boolean ignoreOverrun() {
        return fields.ignoreOverrun;
    }

    public boolean timestamps() {
        return fields.timestamps;
    }

    /** Entry size in bytes; empty: by the environment, 64 by default. */
    public OptionalInt entryBytes() {
        return fields.entryBytes;
    }

    /** Thread that it wakes by AS-notify; empty if none. */
    public Optional<Waiter> waiter() {
        return fields.waiter;
    }

    /** Receiver of the producer index; empty if none. */
    public Optional<LongConsumer> producerIndex() {
        return fields.producerIndex;
    }

    /** Placement; UNSPECIFIED: shard 0. */
    public Placement placement() {
        return fields.placement;
    }

    private CqDescription with(Consumer<Fields> change) {
        Fields copy = new Fields(fields);
        change.accept(copy);
        return new CqDescription(copy);
    }

    @Override
    public String toString() {
        return "completion queue of %d entries, completion vector %d%s%s%s%s%s%s%s"
                .formatted(
                        fields.entries,
                        fields.vector,
                        fields.channel
                                .map(each -> ", reporting to " + each.describe())
                                .orElse(""),
                        fields.ignoreOverrun ? ", ignoring overrun" : "",
                        fields.timestamps ? ", with timestamps" : "",
                        fields.entryBytes.isPresent() ? ", entries of " + fields.entryBytes.getAsInt() + " bytes" : "",
                        fields.waiter.map(each -> ", waking " + each.describe()).orElse(""),
                        fields.producerIndex.isPresent() ? ", passing its producer index" : "",
                        fields.placement.text());
    }
}
