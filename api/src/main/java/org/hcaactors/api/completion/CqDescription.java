// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.completion;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Describes a completion queue before it is created ({@code ibv_create_cq}, {@code ibv_create_cq_ex}). Immutable: each call
 * gives a new description, safe for several threads. What is asked for is judged when the queue is created.
 */
public final class CqDescription {
    private final Fields fields;

    private CqDescription(Fields fields) {
        this.fields = fields;
    }

    /** Only {@link #with} writes to them, before anybody has the description that they are of. */
    private static final class Fields {
        private int entries;
        private Optional<CompletionChannel> channel = Optional.empty();
        private int vector;
        private boolean ignoreOverrun;
        private boolean timestamps;
        private OptionalInt entryBytes = OptionalInt.empty();
        private Optional<Waiter> waiter = Optional.empty();
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
            placement = other.placement;
        }
    }

    /** At least that many entries, and nothing else asked for. */
    public static CqDescription of(int entries) {
        Fields fields = new Fields();
        fields.entries = entries;
        return new CqDescription(fields);
    }

    /** When armed it reports to {@code requested}. */
    public CqDescription withChannel(CompletionChannel requested) {
        return with(now -> now.channel = Optional.of(requested));
    }

    /** Which of the adapter's event queues carries the report, from 0. */
    public CqDescription withVector(int requested) {
        return with(now -> now.vector = requested);
    }

    /** A full queue overwrites its oldest entry instead of failing. */
    public CqDescription withIgnoreOverrun() {
        return with(now -> now.ignoreOverrun = true);
    }

    /** Completions say when they were written. */
    public CqDescription withTimestamps() {
        return with(now -> now.timestamps = true);
    }

    /**
     * Each entry has 64 or 128 bytes, whatever the environment ({@code MLX5_CQE_SIZE}) says; EINVAL for another number, and
     * EOPNOTSUPP for more than the adapter has. An entry of 128 bytes has room for 64 bytes of data, one of 64 for 32.
     */
    public CqDescription withEntryBytes(int bytes) {
        return with(now -> now.entryBytes = OptionalInt.of(bytes));
    }

    // rule notify-create
    /**
     * When armed it wakes that thread by AS-notify ({@code IBV_EXP_CQ_AS_NOTIFY}); a channel, too, is told only where that can't
     * be delivered. EOPNOTSUPP where the adapter's firmware has no AS-notify, EINVAL for a thread of another process, or one
     * that has ended.
     */
    public CqDescription withAsNotify(Waiter creator) {
        return with(now -> now.waiter = Optional.of(creator));
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

    /** Empty: what the environment says, or else 64. */
    public OptionalInt entryBytes() {
        return fields.entryBytes;
    }

    /** The thread that it wakes. */
    public Optional<Waiter> waiter() {
        return fields.waiter;
    }

    /** Where it lives; unsaid: on shard 0. */
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
        return "completion queue, %d entries on vector %d%s%s%s%s%s%s"
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
                        fields.placement.words());
    }
}
