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
    /** Minimum MTU and rate, messages of 0 bytes, empty tables. */
    public static final PortCapabilities NONE = new PortCapabilities(PathMtu.BYTES_256, 0, 0, 0, LinkRate.GBPS_1, 0);

    /** Codes of times have 5 bits. */
    private static final int MAX_CODE = 31;

    private final PathMtu maxMtu;
    private final long maxMessageBytes;
    private final int gidTableLength;
    private final int pkeyTableLength;
    private final LinkRate rate;
    private final int ackDelayCode;

    private PortCapabilities(
            PathMtu maxMtu,
            long maxMessageBytes,
            int gidTableLength,
            int pkeyTableLength,
            LinkRate rate,
            int ackDelayCode) {
        this.maxMtu = maxMtu;
        this.maxMessageBytes = maxMessageBytes;
        this.gidTableLength = gidTableLength;
        this.pkeyTableLength = pkeyTableLength;
        this.rate = rate;
        this.ackDelayCode = ackDelayCode;
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

    /** Rate of the port on a link of unlimited bandwidth. */
    public LinkRate rate() {
        return rate;
    }

    // rule cm-reply
    /**
     * Time within which the adapter acknowledges a packet ({@code local_ca_ack_delay}), 4.096 us x 2^code. Peers learn it from
     * communication management; it limits nothing else.
     */
    public int ackDelayCode() {
        return ackDelayCode;
    }

    public PortCapabilities withMaxMtu(PathMtu max) {
        return new PortCapabilities(max, maxMessageBytes, gidTableLength, pkeyTableLength, rate, ackDelayCode);
    }

    public PortCapabilities withMaxMessageBytes(long max) {
        return new PortCapabilities(maxMtu, max, gidTableLength, pkeyTableLength, rate, ackDelayCode);
    }

    public PortCapabilities withGidTableLength(int entries) {
        return new PortCapabilities(maxMtu, maxMessageBytes, entries, pkeyTableLength, rate, ackDelayCode);
    }

    public PortCapabilities withPkeyTableLength(int entries) {
        return new PortCapabilities(maxMtu, maxMessageBytes, gidTableLength, entries, rate, ackDelayCode);
    }

    public PortCapabilities withRate(LinkRate other) {
        return new PortCapabilities(maxMtu, maxMessageBytes, gidTableLength, pkeyTableLength, other, ackDelayCode);
    }

    /** IllegalArgumentException unless {@code code} is 0 to 31. */
    public PortCapabilities withAckDelayCode(int code) {
        if (code < 0 || code > MAX_CODE) {
            throw new IllegalArgumentException(
                    "the code of the ACK delay is " + code + "; 0 to " + MAX_CODE + " is allowed");
        }
        return new PortCapabilities(maxMtu, maxMessageBytes, gidTableLength, pkeyTableLength, rate, code);
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
        return List.of(maxMtu, maxMessageBytes, gidTableLength, pkeyTableLength, rate, ackDelayCode);
    }
}
