// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import java.util.Optional;

/** The link layers that captures come with; codes are those of pcap's LINKTYPE_ values. */
public enum LinkLayer {
    ETHERNET(1),
    RAW_IP(101),
    IPV4(228),
    IPV6(229);

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
