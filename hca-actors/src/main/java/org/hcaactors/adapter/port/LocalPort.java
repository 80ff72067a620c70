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

    /** The port is known to the fabric by the first entry of its GID table, whatever becomes of the table. */
    public LocalPort(PortAttributes attributes) {
        this.address = addressOf(attributes.gid(0));
        this.attributes = attributes;
        this.pkeys = table(attributes);
    }

    private static int[] table(PortAttributes attributes) {
        return attributes.pkeyTable().stream().mapToInt(Integer::intValue).toArray();
    }

    public void change(PortAttributes other) {
        pkeys = table(other);
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

    public static PortAddress addressOf(Gid gid) {
        return new PortAddress(gid.high(), gid.low());
    }
}
