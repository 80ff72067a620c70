// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How much fits into a shared receive queue.
 *
 * <p>Immutable, and made from {@link #NONE} or another by what differs; components are added in minor versions.
 */
public final class SharedReceiveCapabilities {
    /** No shared receive queue can be made. */
    public static final SharedReceiveCapabilities NONE = new SharedReceiveCapabilities(0, 0);

    private final int maxWr;
    private final int maxSge;

    private SharedReceiveCapabilities(int maxWr, int maxSge) {
        this.maxWr = maxWr;
        this.maxSge = maxSge;
    }

    /** Receives on it. */
    public int maxWr() {
        return maxWr;
    }

    /** Elements of a receive on it. */
    public int maxSge() {
        return maxSge;
    }

    public SharedReceiveCapabilities withMaxWr(int most) {
        return new SharedReceiveCapabilities(most, maxSge);
    }

    public SharedReceiveCapabilities withMaxSge(int most) {
        return new SharedReceiveCapabilities(maxWr, most);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SharedReceiveCapabilities group && values().equals(group.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "SharedReceiveCapabilities" + values();
    }

    private List<Object> values() {
        return List.of(maxWr, maxSge);
    }
}
