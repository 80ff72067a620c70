// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

import java.util.List;
import org.hcaactors.api.address.PathMtu;
import org.jspecify.annotations.Nullable;

/**
 * Limits of a port.
 *
 * <p>Immutable: {@code with} methods return changed copies of {@link #NONE}. Components are added in minor versions.
 */
public final class PortCapabilities {
    /** Minimum MTU, messages of 0 bytes, empty tables. */
    public static final PortCapabilities NONE = new PortCapabilities(PathMtu.BYTES_256, 0, 0, 0);

    private final PathMtu maxMtu;
    private final long maxMessageBytes;
    private final int gidTableLength;
    private final int pkeyTableLength;

    private PortCapabilities(PathMtu maxMtu, long maxMessageBytes, int gidTableLength, int pkeyTableLength) {
        this.maxMtu = maxMtu;
        this.maxMessageBytes = maxMessageBytes;
        this.gidTableLength = gidTableLength;
        this.pkeyTableLength = pkeyTableLength;
    }

    /** Maximum payload of a packet. */
    public PathMtu maxMtu() {
        return maxMtu;
    }

    /** Maximum payload of a message, in bytes. */
    public long maxMessageBytes() {
        return maxMessageBytes;
    }

    /** Size of the GID table. */
    public int gidTableLength() {
        return gidTableLength;
    }

    /** Size of the P_Key table; entry 0 is 0xFFFF. */
    public int pkeyTableLength() {
        return pkeyTableLength;
    }

    public PortCapabilities withMaxMtu(PathMtu max) {
        return new PortCapabilities(max, maxMessageBytes, gidTableLength, pkeyTableLength);
    }

    public PortCapabilities withMaxMessageBytes(long max) {
        return new PortCapabilities(maxMtu, max, gidTableLength, pkeyTableLength);
    }

    public PortCapabilities withGidTableLength(int entries) {
        return new PortCapabilities(maxMtu, maxMessageBytes, entries, pkeyTableLength);
    }

    public PortCapabilities withPkeyTableLength(int entries) {
        return new PortCapabilities(maxMtu, maxMessageBytes, gidTableLength, entries);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PortCapabilities group && values().equals(group.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "PortCapabilities" + values();
    }

    private List<Object> values() {
        return List.of(maxMtu, maxMessageBytes, gidTableLength, pkeyTableLength);
    }
}
