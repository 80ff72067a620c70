// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import java.util.Optional;

/** Link layers of captures, with the codes of pcap's LINKTYPE_ values. */
public enum LinkLayer {
    /** BSD loopback: an address family in the byte order of the host. */
    NULL(0),
    ETHERNET(1),
    RAW_IP(101),
    /** OpenBSD loopback: an address family, big-endian. */
    LOOP(108),
    /** Linux cooked capture. */
    LINUX_SLL(113),
    IPV4(228),
    IPV6(229),
    /** Linux cooked capture, version 2. */
    LINUX_SLL2(276);

    private final int code;

    LinkLayer(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    public static Optional<LinkLayer> of(int code) {
        for (LinkLayer layer : values()) {
            if (layer.code == code) {
                return Optional.of(layer);
            }
        }
        return Optional.empty();
    }
}
