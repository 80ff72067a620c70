// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

/**
 * Statistics of a pool since its creation.
 *
 * <p>Immutable; figures are added in minor versions.
 */
public final class PoolStatistics {
    private final long posted;
    private final long switches;
    private final long waits;
    private final long resent;
    private final long recoveries;
    private final long refused;

    PoolStatistics(long posted, long switches, long waits, long resent, long recoveries, long refused) {
        this.posted = posted;
        this.switches = switches;
        this.waits = waits;
        this.resent = resent;
        this.recoveries = recoveries;
        this.refused = refused;
    }

    /** Requests that an initiator accepted, including those posted again. */
    public long posted() {
        return posted;
    }

    /**
     * Number of those whose initiator, or stream, had its previous request to another target, so that it must connect. The
     * first request of an initiator does not count, nor a request to the same target whose session has ended meanwhile; so
     * adapters may count more connects.
     */
    public long switches() {
        return switches;
    }

    /** Requests for which no initiator was available when they were submitted. */
    public long waits() {
        return waits;
    }

    /** Requests that were flushed by another target's error and posted again. */
    public long resent() {
        return resent;
    }

    /** Number of recoveries of an initiator, or of a stream, after an error. */
    public long recoveries() {
        return recoveries;
    }

    /** Requests that were refused because too many waited. */
    public long refused() {
        return refused;
    }

    @Override
    public String toString() {
        return "%d posted, %d switches, %d waits, %d resent, %d recoveries, %d refused"
                .formatted(posted, switches, waits, resent, recoveries, refused);
    }
}
