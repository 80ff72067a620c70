// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Limits of shared receive queues, and support for XRC.
 *
 * <p>Immutable: {@code with} methods return changed copies of {@link #NONE}. Components are added in minor versions.
 */
public final class SharedReceiveCapabilities {
    /** No shared receive queue can be created. */
    public static final SharedReceiveCapabilities NONE = new SharedReceiveCapabilities(0, 0, false);

    private final int maxWr;
    private final int maxSge;
    private final boolean xrc;

    private SharedReceiveCapabilities(int maxWr, int maxSge, boolean xrc) {
        this.maxWr = maxWr;
        this.maxSge = maxSge;
        this.xrc = xrc;
    }

    /** Maximum number of receives. */
    public int maxWr() {
        return maxWr;
    }

    /** Maximum number of scatter/gather elements of a receive. */
    public int maxSge() {
        return maxSge;
    }

    /** True if XRC is supported: a peer's request names its shared receive queue ({@code XRC}). */
    public boolean xrc() {
        return xrc;
    }

    public SharedReceiveCapabilities withMaxWr(int max) {
        return new SharedReceiveCapabilities(max, maxSge, xrc);
    }

    public SharedReceiveCapabilities withMaxSge(int max) {
        return new SharedReceiveCapabilities(maxWr, max, xrc);
    }

    public SharedReceiveCapabilities withXrc(boolean supported) {
        return new SharedReceiveCapabilities(maxWr, maxSge, supported);
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
        return List.of(maxWr, maxSge, xrc);
    }
}
