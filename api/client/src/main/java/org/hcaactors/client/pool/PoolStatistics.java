// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

/**
 * What a pool has done since it was made.
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

    /** Requests that an initiator took, those sent again among them. */
    public long posted() {
        return posted;
    }

    /**
     * Of these, those that an initiator, or a stream of one, took when its request before had gone to another target: it connects to
     * theirs. The first of all is none, nor is one that finds its target again, even where the session has fallen idle meanwhile; so
     * adapters may count more connects.
     */
    public long switches() {
        return switches;
    }

    /** Requests for which no initiator was ready when they were submitted. */
    public long waits() {
        return waits;
    }

    /** Requests that stood behind another target's error, and were sent again. */
    public long resent() {
        return resent;
    }

    /** How often an initiator, or a stream of one, was brought back after an error. */
    public long recoveries() {
        return recoveries;
    }

    /** Requests that were refused as too many waited. */
    public long refused() {
        return refused;
    }

    @Override
    public String toString() {
        return "%d posted, %d switches, %d waits, %d resent, %d recoveries, %d refused"
                .formatted(posted, switches, waits, resent, recoveries, refused);
    }
}
