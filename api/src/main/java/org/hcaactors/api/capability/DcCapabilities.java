// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Dynamically connected transport: its version and its limits.
 *
 * <p>Immutable: {@code with} methods return changed copies of {@link #NONE}. Components are added in minor versions.
 */
public final class DcCapabilities {
    /** No dynamically connected transport. */
    public static final DcCapabilities NONE = new DcCapabilities(new Fields());

    private static final int MAX_RESPONDERS = 1 << 24;
    private static final int MAX_LOG_HASH_TABLE = 31;
    private static final int MAX_VERSION = 1;
    private static final int MAX_RD_ATOMIC = 128;
    private static final int MAX_LOG_STREAMS = 16;
    private static final long MAX_IDLE_NANOS = 60_000_000_000L;

    private final Fields fields;

    private DcCapabilities(Fields fields) {
        this.fields = fields;
    }

    /** Written only by {@link #with}, before the new capabilities exist. */
    private static final class Fields {
        private int responders;
        private int logHashTable;
        private int version;
        private int maxRdAtomic;
        private int logStreamChannels;
        private int logErroredStreams;
        private long idleNanos;

        private Fields() {}

        private Fields(Fields other) {
            responders = other.responders;
            logHashTable = other.logHashTable;
            version = other.version;
            maxRdAtomic = other.maxRdAtomic;
            logStreamChannels = other.logStreamChannels;
            logErroredStreams = other.logErroredStreams;
            idleNanos = other.idleNanos;
        }
    }

    /** True if the adapter has initiators and targets. */
    public boolean isSupported() {
        return fields.responders > 0;
    }

    /** Maximum number of peers connected at a time, over all targets together; 0 if the transport is not supported. */
    public int responders() {
        return fields.responders;
    }

    /** Log2 of the buckets of the hash table that finds a peer's responder. */
    public int logHashTable() {
        return fields.logHashTable;
    }

    // rule dc-generations
    /** Version of the packet format: 0 up to ConnectX-4, 1 from ConnectX-5. The two versions do not interoperate. */
    public int version() {
        return fields.version;
    }

    /**
     * Maximum outstanding READs and atomics of one initiator ({@code max_dc_req_rd_atom}, in mlx5dv {@code max_dc_rd_atom}),
     * and of one responder ({@code max_dc_res_rd_atom}, {@code max_dc_init_rd_atom}).
     */
    public int maxRdAtomic() {
        return fields.maxRdAtomic;
    }

    // rule dc-streams-there
    /** True if an initiator can run its requests on streams. */
    public boolean hasStreams() {
        return fields.logStreamChannels > 0;
    }

    /** Log2 of the concurrent streams of an initiator ({@code max_log_num_concurent}); 0 without streams. */
    public int logStreamChannels() {
        return fields.logStreamChannels;
    }

    /** Log2 of the maximum number of failed streams that an initiator can tolerate ({@code max_log_num_errored}). */
    public int logErroredStreams() {
        return fields.logErroredStreams;
    }

    /** Time in nanoseconds for which an idle initiator stays connected. */
    public long idleNanos() {
        return fields.idleNanos;
    }

    /** IllegalArgumentException unless {@code max} is 0 to 2^24. */
    public DcCapabilities withResponders(int max) {
        return with(now -> now.responders = (int) within("number of responders", max, MAX_RESPONDERS));
    }

    /** IllegalArgumentException unless {@code log} is 0 to 31. */
    public DcCapabilities withLogHashTable(int log) {
        return with(
                now -> now.logHashTable = (int) within("log2 of the hash table's buckets", log, MAX_LOG_HASH_TABLE));
    }

    /** IllegalArgumentException unless {@code generation} is 0 or 1. */
    public DcCapabilities withVersion(int generation) {
        return with(now -> now.version = (int) within("DC version", generation, MAX_VERSION));
    }

    /** IllegalArgumentException unless {@code max} is 0 to 128. */
    public DcCapabilities withMaxRdAtomic(int max) {
        return with(
                now -> now.maxRdAtomic = (int) within("maximum of outstanding READs and atomics", max, MAX_RD_ATOMIC));
    }

    /** IllegalArgumentException unless {@code log} is 0 to 16. */
    public DcCapabilities withLogStreamChannels(int log) {
        return with(now -> now.logStreamChannels = (int) within("log2 of the streams", log, MAX_LOG_STREAMS));
    }

    /** IllegalArgumentException unless {@code log} is 0 to 16. */
    public DcCapabilities withLogErroredStreams(int log) {
        return with(now -> now.logErroredStreams = (int) within("log2 of the streams in error", log, MAX_LOG_STREAMS));
    }

    /**
     * IllegalArgumentException unless the time is 0 to 60 s; with 0 an initiator disconnects as soon as all requests are
     * acknowledged.
     */
    public DcCapabilities withIdleNanos(long nanos) {
        return with(now -> now.idleNanos = within("idle time in ns", nanos, MAX_IDLE_NANOS));
    }

    private static long within(String what, long value, long max) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException("the " + what + " is " + value + "; 0 to " + max + " is allowed");
        }
        return value;
    }

    private DcCapabilities with(Consumer<Fields> change) {
        Fields copy = new Fields(fields);
        change.accept(copy);
        return new DcCapabilities(copy);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DcCapabilities group && values().equals(group.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "DcCapabilities" + values();
    }

    private List<Object> values() {
        return List.of(
                fields.responders,
                fields.logHashTable,
                fields.version,
                fields.maxRdAtomic,
                fields.logStreamChannels,
                fields.logErroredStreams,
                fields.idleNanos);
    }
}
