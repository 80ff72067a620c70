// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.completion;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fields of a completion that only datagrams have.
 *
 * <p>Immutable; components are added in minor versions.
 */
public final class Datagram {
    private final int sourceQp;
    private final int pkeyIndex;
    private final boolean globalRoute;
    private final boolean ipv4;

    private Datagram(int sourceQp, int pkeyIndex, boolean globalRoute, boolean ipv4) {
        this.sourceQp = sourceQp;
        this.pkeyIndex = pkeyIndex;
        this.globalRoute = globalRoute;
        this.ipv4 = ipv4;
    }

    /** From this queue pair, with index 0 in the P_Key table and with a GRH, which is an IPv6 header. */
    public static Datagram from(int sourceQp) {
        return new Datagram(sourceQp, 0, true, false);
    }

    /** The sender's queue pair number ({@code src_qp}). */
    public int sourceQp() {
        return sourceQp;
    }

    /** Index of the matching entry in the P_Key table. */
    public int pkeyIndex() {
        return pkeyIndex;
    }

    /** True if the first 40 bytes of the buffer hold a GRH ({@code IBV_WC_GRH}); always on RoCE. */
    public boolean globalRoute() {
        return globalRoute;
    }

    /** True if the last 20 of these bytes are an IPv4 header; otherwise all of them are an IPv6 header. */
    public boolean ipv4() {
        return ipv4;
    }

    public Datagram withPkeyIndex(int index) {
        return new Datagram(sourceQp, index, globalRoute, ipv4);
    }

    public Datagram withGlobalRoute(boolean present) {
        return new Datagram(sourceQp, pkeyIndex, present, ipv4);
    }

    public Datagram withIpv4(boolean header) {
        return new Datagram(sourceQp, pkeyIndex, globalRoute, header);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Datagram same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "Datagram" + values();
    }

    private List<Object> values() {
        return List.of(sourceQp, pkeyIndex, globalRoute, ipv4);
    }
}
