// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Result of {@code ibv_query_srq}, at one instant.
 *
 * <p>Immutable; components are added in minor versions.
 */
public final class SrqSnapshot {
    private final SrqCapacity capacity;
    private final int limit;
    private final int posted;

    private SrqSnapshot(SrqCapacity capacity, int limit, int posted) {
        this.capacity = capacity;
        this.limit = limit;
        this.posted = posted;
    }

    /** Returns a snapshot of a queue of this size without posted receives and without an armed limit. */
    public static SrqSnapshot of(SrqCapacity capacity) {
        return new SrqSnapshot(capacity, 0, 0);
    }

    public SrqCapacity capacity() {
        return capacity;
    }

    /** The armed limit; 0 if none is armed. */
    public int limit() {
        return limit;
    }

    /** Number of receives that no queue pair has taken. */
    public int posted() {
        return posted;
    }

    public SrqSnapshot withLimit(int armed) {
        return new SrqSnapshot(capacity, armed, posted);
    }

    public SrqSnapshot withPosted(int receives) {
        return new SrqSnapshot(capacity, limit, receives);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SrqSnapshot same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "SrqSnapshot" + values();
    }

    private List<Object> values() {
        return List.of(capacity, limit, posted);
    }
}
