// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Actual sizes of a shared receive queue ({@code ibv_srq_attr}); {@link SrqDescription} requests them.
 *
 * <p>Immutable; components are added in minor versions.
 */
public final class SrqCapacity {
    private final int maxWr;
    private final int maxSge;

    private SrqCapacity(int maxWr, int maxSge) {
        this.maxWr = maxWr;
        this.maxSge = maxSge;
    }

    /** This number of receives, each of one element. */
    public static SrqCapacity of(int receives) {
        return new SrqCapacity(receives, 1);
    }

    /** Maximum number of receives. */
    public int maxWr() {
        return maxWr;
    }

    /** Maximum number of scatter/gather elements of a receive. */
    public int maxSge() {
        return maxSge;
    }

    public SrqCapacity withMaxSge(int elements) {
        return new SrqCapacity(maxWr, elements);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SrqCapacity same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "SrqCapacity" + values();
    }

    private List<Object> values() {
        return List.of(maxWr, maxSge);
    }
}
