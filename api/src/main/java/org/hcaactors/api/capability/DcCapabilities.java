// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Dynamically connected transport: its version and its limits.
 *
 * <p>Immutable: {@code with} methods return changed copies of {@link #NONE}. Components are added in minor versions.
 */
public final class DcCapabilities {
    /** No dynamically connected transport. */
    public static final DcCapabilities NONE = new DcCapabilities(0, 0, 0, 0, 0, 0, 0);

    private static final int MAX_RESPONDERS = 1 << 24;
    private static final int MAX_LOG_HASH_TABLE = 31;
    private static final int MAX_VERSION = 1;
    private static final int MAX_RD_ATOMIC = 128;
    private static final int MAX_LOG_STREAMS = 16;
    private static final long MAX_IDLE_NANOS = 60_000_000_000L;

    private final int responders;
    private final int logHashTable;
    private final int version;
    private final int maxRdAtomic;
    private final int logStreamChannels;
    private final int logErroredStreams;
    private final long idleNanos;

    private DcCapabilities(
            int responders,
            int logHashTable,
            int version,
            int maxRdAtomic,
            int logStreamChannels,
            int logErroredStreams,
            long idleNanos) {
        this.responders = responders;
        this.logHashTable = logHashTable;
        this.version = version;
        this.maxRdAtomic = maxRdAtomic;
        this.logStreamChannels = logStreamChannels;
        this.logErroredStreams = logErroredStreams;
        this.idleNanos = idleNanos;
    }

    /** True if the adapter has initiators and targets. */
    public boolean isThere() {
        return responders > 0;
    }

    /** Maximum number of peers connected at a time, over all targets together; 0 if the transport is not supported. */
    public int responders() {
        return responders;
    }

    /** Log2 of the buckets of the hash table that finds a peer's responder. */
    public int logHashTable() {
        return logHashTable;
    }

    // rule dc-generations
    /** Version of the packet format: 0 up to ConnectX-4, 1 from ConnectX-5. The two versions do not interoperate. */
    public int version() {
        return version;
    }

    /**
     * Maximum outstanding READs and atomics of one initiator ({@code max_dc_req_rd_atom}, in mlx5dv {@code max_dc_rd_atom}),
     * and of one responder ({@code max_dc_res_rd_atom}, {@code max_dc_init_rd_atom}).
     */
    public int maxRdAtomic() {
        return maxRdAtomic;
    }

    // rule dc-streams-there
    /** True if an initiator can run its requests on streams. */
    public boolean hasStreams() {
        return logStreamChannels > 0;
    }

    /** Log2 of the concurrent streams of an initiator ({@code max_log_num_concurent}); 0 without streams. */
    public int logStreamChannels() {
        return logStreamChannels;
    }

    /** Log2 of the maximum number of failed streams that an initiator can tolerate ({@code max_log_num_errored}). */
    public int logErroredStreams() {
        return logErroredStreams;
    }

    /** Time in nanoseconds for which an idle initiator stays connected. */
    public long idleNanos() {
        return idleNanos;
    }

    /** IllegalArgumentException unless {@code max} is 0 to 2^24. */
    public DcCapabilities withResponders(int max) {
        return new DcCapabilities(
                (int) within("responders", max, MAX_RESPONDERS),
                logHashTable,
                version,
                maxRdAtomic,
                logStreamChannels,
                logErroredStreams,
                idleNanos);
    }

    /** IllegalArgumentException unless {@code log} is 0 to 31. */
    public DcCapabilities withLogHashTable(int log) {
        return new DcCapabilities(
                responders,
                (int) within("log2 of a hash table's buckets", log, MAX_LOG_HASH_TABLE),
                version,
                maxRdAtomic,
                logStreamChannels,
                logErroredStreams,
                idleNanos);
    }

    /** IllegalArgumentException unless {@code generation} is 0 or 1. */
    public DcCapabilities withVersion(int generation) {
        return new DcCapabilities(
                responders,
                logHashTable,
                (int) within("as a version", generation, MAX_VERSION),
                maxRdAtomic,
                logStreamChannels,
                logErroredStreams,
                idleNanos);
    }

    /** IllegalArgumentException unless {@code max} is 0 to 128. */
    public DcCapabilities withMaxRdAtomic(int max) {
        return new DcCapabilities(
                responders,
                logHashTable,
                version,
                (int) within("READs and atomics", max, MAX_RD_ATOMIC),
                logStreamChannels,
                logErroredStreams,
                idleNanos);
    }

    /** IllegalArgumentException unless {@code log} is 0 to 16. */
    public DcCapabilities withLogStreamChannels(int log) {
        return new DcCapabilities(
                responders,
                logHashTable,
                version,
                maxRdAtomic,
                (int) within("log2 of streams", log, MAX_LOG_STREAMS),
                logErroredStreams,
                idleNanos);
    }

    /** IllegalArgumentException unless {@code log} is 0 to 16. */
    public DcCapabilities withLogErroredStreams(int log) {
        return new DcCapabilities(
                responders,
                logHashTable,
                version,
                maxRdAtomic,
                logStreamChannels,
                (int) within("log2 of streams in error", log, MAX_LOG_STREAMS),
                idleNanos);
    }

    /**
     * IllegalArgumentException unless the time is 0 to 60 s; with 0 an initiator disconnects as soon as all requests are
     * acknowledged.
     */
    public DcCapabilities withIdleNanos(long nanos) {
        return new DcCapabilities(
                responders,
                logHashTable,
                version,
                maxRdAtomic,
                logStreamChannels,
                logErroredStreams,
                within("ns of idleness", nanos, MAX_IDLE_NANOS));
    }

    private static long within(String what, long value, long max) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException(value + " " + what + "; 0 to " + max + " are allowed");
        }
        return value;
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
        return List.of(responders, logHashTable, version, maxRdAtomic, logStreamChannels, logErroredStreams, idleNanos);
    }
}
