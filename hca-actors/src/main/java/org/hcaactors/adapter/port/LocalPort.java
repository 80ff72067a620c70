package org.hcaactors.adapter.port;

import org.hcaactors.api.device.Gid;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.fabric.packet.PortAddress;

/**
 * An adapter's port as its queue pairs see it: they look keys and addresses up by index at each use, so a change of a table
 * holds from the next packet on. Written by one, read from any thread.
 */
public final class LocalPort {
    private final PortAddress address;
    private volatile PortAttributes attributes;
    private volatile int[] pkeys;
    private volatile PortAddress[] sources;

    /** The port is known to the fabric by the first entry of its GID table, whatever becomes of the table. */
    public LocalPort(PortAttributes attributes) {
        this.address = addressOf(attributes.gid(0));
        this.attributes = attributes;
        this.pkeys = table(attributes);
        this.sources = addresses(attributes);
    }

    private static int[] table(PortAttributes attributes) {
        return attributes.pkeyTable().stream().mapToInt(Integer::intValue).toArray();
    }

    private static PortAddress[] addresses(PortAttributes attributes) {
        return attributes.gidTable().stream().map(LocalPort::addressOf).toArray(PortAddress[]::new);
    }

    public void change(PortAttributes other) {
        pkeys = table(other);
        sources = addresses(other);
        attributes = other;
    }

    public PortAddress address() {
        return address;
    }

    public PortAttributes attributes() {
        return attributes;
    }

    /** 16 bits; 0, which matches nothing, for an empty entry. */
    public int pkey(int index) {
        int[] table = pkeys;
        return index < table.length ? table[index] : 0;
    }

    /** VerbsException (EINVAL) for an entry that is not in use. */
    public PortAddress source(int gidIndex) {
        return addressOf(attributes.gid(gidIndex));
    }

    /**
     * The entry as it is now. Where it is not in use any more, or not of that IP version, what it was before: the port does
     * not have that address, so that the fabric loses what is sent from there, as an adapter sends nothing by an entry that
     * was invalidated.
     */
    public PortAddress source(int gidIndex, PortAddress before) {
        PortAddress[] table = sources;
        boolean usable = gidIndex < table.length && table[gidIndex].isIpv4() == before.isIpv4();
        return usable ? table[gidIndex] : before;
    }

    public static PortAddress addressOf(Gid gid) {
        return new PortAddress(gid.high(), gid.low());
    }
}
