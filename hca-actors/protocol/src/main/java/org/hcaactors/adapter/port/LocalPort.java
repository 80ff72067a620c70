// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.port;

import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * An adapter's port as its queue pairs see it: they look keys and addresses up by index at each use, so a change of a table
 * holds from the next packet on (rule qp-source-by-index). Safe for several threads.
 */
public final class LocalPort {
    /**
     * IPv6, UDP, BTH, XRCETH, AtomicETH, ICRC, as {@code iboe_get_mtu} takes them off. What has more carries no payload: of those
     * that do, a WRITE with immediate over DC has the most, 92 with DCETH, RETH and immediate.
     */
    private static final int MAX_HEADERS = 40 + 8 + 12 + 4 + 28 + 4;

    /** The tables of the attributes as they are looked up for each packet. */
    private static final class Tables {
        final PortAttributes attributes;
        final int[] pkeys;
        final PortAddress[] sources;

        /** @param before where an entry was the same then, its address stays the same object: routes are known by it */
        Tables(PortAttributes attributes, PortAddress[] before) {
            this.attributes = attributes;
            pkeys = attributes.pkeyTable().stream().mapToInt(Integer::intValue).toArray();
            sources = attributes.gidTable().stream().map(LocalPort::addressOf).toArray(PortAddress[]::new);
            for (int i = 0; i < Math.min(before.length, sources.length); i++) {
                sources[i] = before[i].equals(sources[i]) ? before[i] : sources[i];
            }
        }
    }

    /** Peers whose addresses are remembered. Two shards that write one at once lose nothing but that one is remembered. */
    private static final int REMEMBERED = 64;

    private static final PortAddress[] NO_SOURCES = {};

    private final PortAddress address;
    private final @Nullable PortAddress[] peers = new PortAddress[REMEMBERED];
    private volatile Tables tables;

    /** The port is known to the fabric by the first entry of its GID table, whatever becomes of the table. */
    public LocalPort(PortAttributes attributes) {
        this.address = addressOf(attributes.gidTable().getFirst());
        this.tables = new Tables(attributes, NO_SOURCES);
    }

    /** False if that changes nothing. */
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
     * The largest path MTU of which every packet passes the link, whatever its headers; the least that there is where none
     * does (as {@code iboe_get_mtu} has it: 1500 gives 1024, 4200 gives 4096).
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

    public PortAddress address() {
        return address;
    }

    public PortAttributes attributes() {
        return tables.attributes;
    }

    /** The first entry of the GID table. There always is one. */
    public Gid gid() {
        return tables.attributes.gidTable().getFirst();
    }

    /** The first entry of the GID table that is of IPv4, or that is not; empty where there is none. */
    public OptionalInt indexOf(boolean ipv4) {
        PortAddress[] sources = tables.sources;
        for (int i = 0; i < sources.length; i++) {
            if (sources[i].isIpv4() == ipv4) {
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }

    /** 16 bits; 0, which matches nothing, for an empty entry. */
    public int pkey(int index) {
        int[] table = tables.pkeys;
        return index < table.length ? table[index] : 0;
    }

    /**
     * The entry as it is now. Where it is not in use any more, or not of that IP version, the unspecified address: no port
     * has it, so that the fabric loses what is sent from there, as an adapter sends nothing by an entry that was invalidated.
     */
    public PortAddress source(int gidIndex, boolean ipv4) {
        PortAddress[] table = tables.sources;
        boolean usable = gidIndex < table.length && table[gidIndex].isIpv4() == ipv4;
        return usable ? table[gidIndex] : PortAddress.unspecified(ipv4);
    }

    /** That entry is still that very object, as {@link #source(int, boolean)} gave it. */
    public boolean isStill(int gidIndex, PortAddress source) {
        PortAddress[] table = tables.sources;
        return gidIndex < table.length && table[gidIndex] == source;
    }

    /** A peer's address: the same object for all that are connected to it, where not too many others come between. */
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
