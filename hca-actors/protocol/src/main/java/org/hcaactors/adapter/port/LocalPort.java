// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.port;

import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.capability.LinkRate;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * An adapter's port as its queue pairs see it. They look keys and addresses up by index for each use, so that a change of a
 * table takes effect with the next packet (rule qp-source-by-index). Safe for several threads.
 */
public final class LocalPort {
    /**
     * IPv6, UDP, BTH, XRCETH, AtomicETH, ICRC, as {@code iboe_get_mtu} subtracts them. Packets with more headers have no
     * payload; of those with payload, a WRITE with immediate over DC has the most, 92 with DCETH, RETH and immediate.
     */
    private static final int MAX_HEADERS = 40 + 8 + 12 + 4 + 28 + 4;

    /** Tables of the attributes, prepared for the lookup for each packet. */
    private static final class Tables {
        final PortAttributes attributes;
        final int[] pkeys;
        final PortAddress[] sources;

        /** @param before previous addresses; an unchanged entry keeps its address object, since routes are identified by it */
        Tables(PortAttributes attributes, PortAddress[] before) {
            this.attributes = attributes;
            pkeys = attributes.pkeyTable().stream().mapToInt(Integer::intValue).toArray();
            sources = attributes.gidTable().stream().map(LocalPort::addressOf).toArray(PortAddress[]::new);
            for (int i = 0; i < Math.min(before.length, sources.length); i++) {
                sources[i] = before[i].equals(sources[i]) ? before[i] : sources[i];
            }
        }
    }

    /**
     * Number of cached peer addresses. If two shards write the same slot at once, only one address is cached, which does no
     * harm.
     */
    private static final int REMEMBERED = 64;

    private static final PortAddress[] NO_SOURCES = {};

    private final PortAddress address;
    private final @Nullable PortAddress[] peers = new PortAddress[REMEMBERED];
    private volatile Tables tables;

    /** Creates the port. The fabric knows it by the first entry of its GID table, even if the table changes later. */
    public LocalPort(PortAttributes attributes) {
        this.address = addressOf(attributes.gidTable().getFirst());
        this.tables = new Tables(attributes, NO_SOURCES);
    }

    /** Changes the attributes; returns false if nothing changes. */
    public synchronized boolean change(UnaryOperator<PortAttributes> how) {
        PortAttributes now = tables.attributes;
        PortAttributes other = how.apply(now);
        boolean differs = !other.equals(now);
        if (differs) {
            tables = new Tables(other, tables.sources);
        }
        return differs;
    }

    // rule wire-port-mtu
    /**
     * Returns the largest path MTU with which every packet passes the link, whatever its headers; the smallest MTU if none does
     * (as {@code iboe_get_mtu}: 1500 gives 1024, 4200 gives 4096).
     */
    @MutationPoint("local-port.mtu-on")
    public static PathMtu mtuOn(LinkProperties link, PathMtu max) {
        PathMtu fitting = PathMtu.BYTES_256;
        for (PathMtu mtu : PathMtu.values()) {
            if (mtu.compareTo(max) <= 0 && mtu.bytes() + MAX_HEADERS <= link.mtuBytes()) {
                fitting = mtu;
            }
        }
        return fitting;
    }

    // rule wire-port-rate
    /** Returns the rate of a link: that of the port if the link's bandwidth is unlimited. */
    public static LinkRate rateOn(LinkProperties link, LinkRate unlimited) {
        return link.bitsPerSecond() == 0 ? unlimited : LinkRate.of(link.bitsPerSecond());
    }

    public PortAddress address() {
        return address;
    }

    public PortAttributes attributes() {
        return tables.attributes;
    }

    /** First entry of the GID table, which always exists. */
    public Gid gid() {
        return tables.attributes.gidTable().getFirst();
    }

    /** Returns the index of the first GID table entry of that IP version; empty if there is none. */
    public OptionalInt indexOf(boolean ipv4) {
        PortAddress[] sources = tables.sources;
        for (int i = 0; i < sources.length; i++) {
            if (sources[i].isIpv4() == ipv4) {
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }

    /** Returns the index of that address in the GID table; empty if the port does not have it. */
    public OptionalInt indexOf(PortAddress own) {
        PortAddress[] sources = tables.sources;
        for (int i = 0; i < sources.length; i++) {
            if (sources[i].equals(own)) {
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }

    /** Returns the P_Key of 16 bits; 0, which matches nothing, for an empty entry. */
    public int pkey(int index) {
        int[] table = tables.pkeys;
        return index < table.length ? table[index] : 0;
    }

    /**
     * Returns the present entry. If it is unused or not of that IP version, returns the unspecified address: no port has it, so
     * that the fabric loses what is sent from it, as an adapter sends nothing by an invalidated entry.
     */
    public PortAddress source(int gidIndex, boolean ipv4) {
        PortAddress[] table = tables.sources;
        boolean usable = gidIndex < table.length && table[gidIndex].isIpv4() == ipv4;
        return usable ? table[gidIndex] : PortAddress.unspecified(ipv4);
    }

    /** True if the entry is still the same object that {@link #source(int, boolean)} returned. */
    public boolean isStill(int gidIndex, PortAddress source) {
        PortAddress[] table = tables.sources;
        return gidIndex < table.length && table[gidIndex] == source;
    }

    /** Returns a peer's address, as the same object for all connections to it unless the cache slot was reused. */
    public PortAddress peer(Gid gid) {
        PortAddress requested = addressOf(gid);
        int slot = requested.hashCode() & REMEMBERED - 1;
        PortAddress known = peers[slot];
        if (known != null && known.equals(requested)) {
            return known;
        }
        peers[slot] = requested;
        return requested;
    }

    public static PortAddress addressOf(Gid gid) {
        return new PortAddress(gid.high(), gid.low());
    }
}
