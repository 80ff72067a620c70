// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which atomics an adapter carries out.
 *
 * <p>Immutable, and made from {@link #NONE} or another by what differs; components are added in minor versions.
 */
public final class AtomicCapabilities {
    /** No atomics: posting one is EOPNOTSUPP, and a peer's is refused. */
    public static final AtomicCapabilities NONE = new AtomicCapabilities(false);

    private final boolean eightBytes;

    private AtomicCapabilities(boolean eightBytes) {
        this.eightBytes = eightBytes;
    }

    /** Compare-and-swap and fetch-and-add of 8 bytes. */
    public boolean eightBytes() {
        return eightBytes;
    }

    public AtomicCapabilities withEightBytes(boolean supported) {
        return new AtomicCapabilities(supported);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AtomicCapabilities group && values().equals(group.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "AtomicCapabilities" + values();
    }

    private List<Object> values() {
        return List.of(eightBytes);
    }
}
