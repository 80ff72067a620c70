// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

import java.util.List;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.capability.LinkRate;
import org.hcaactors.api.capability.PortCapabilities;
import org.hcaactors.api.error.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * Result of {@code ibv_query_port}, {@code ibv_query_gid} and {@code ibv_query_pkey}, at one instant.
 *
 * <p>Immutable; components are added in minor versions.
 */
public final class PortAttributes {
    private static final int MEMBERSHIP = 0x8000;

    private final boolean active;
    private final PathMtu maxMtu;
    private final PathMtu activeMtu;
    private final LinkRate rate;
    private final List<Gid> gidTable;
    private final int gidTableLength;
    private final List<Integer> pkeyTable;
    private final int pkeyTableLength;

    private PortAttributes(
            boolean active,
            PathMtu maxMtu,
            PathMtu activeMtu,
            LinkRate rate,
            List<Gid> gidTable,
            int gidTableLength,
            List<Integer> pkeyTable,
            int pkeyTableLength) {
        this.active = active;
        this.maxMtu = maxMtu;
        this.activeMtu = activeMtu;
        this.rate = rate;
        this.gidTable = List.copyOf(gidTable);
        this.gidTableLength = gidTableLength;
        this.pkeyTable = List.copyOf(pkeyTable);
        this.pkeyTableLength = pkeyTableLength;
    }

    /** Attributes of a port with these capabilities that is up, at its maximum MTU and its rate, and with empty tables. */
    public static PortAttributes of(PortCapabilities made) {
        return new PortAttributes(
                true,
                made.maxMtu(),
                made.maxMtu(),
                made.rate(),
                List.of(),
                made.gidTableLength(),
                List.of(),
                made.pkeyTableLength());
    }

    /** True if a cable is plugged in and both its ends are up. */
    public boolean active() {
        return active;
    }

    /** Maximum MTU of the adapter ({@code max_mtu}). */
    public PathMtu maxMtu() {
        return maxMtu;
    }

    /** MTU that the link allows, for datagrams and path MTUs ({@code active_mtu}). */
    public PathMtu activeMtu() {
        return activeMtu;
    }

    /** Rate of the link ({@code active_width} and {@code active_speed}). */
    public LinkRate rate() {
        return rate;
    }

    /** Entries in use, from index 0. */
    public List<Gid> gidTable() {
        return gidTable;
    }

    /** Size of the GID table. */
    public int gidTableLength() {
        return gidTableLength;
    }

    /** Entries in use, from index 0. */
    public List<Integer> pkeyTable() {
        return pkeyTable;
    }

    /** Size of the P_Key table. */
    public int pkeyTableLength() {
        return pkeyTableLength;
    }

    public PortAttributes withActive(boolean up) {
        return new PortAttributes(up, maxMtu, activeMtu, rate, gidTable, gidTableLength, pkeyTable, pkeyTableLength);
    }

    public PortAttributes withActiveMtu(PathMtu other) {
        return new PortAttributes(active, maxMtu, other, rate, gidTable, gidTableLength, pkeyTable, pkeyTableLength);
    }

    public PortAttributes withRate(LinkRate other) {
        return new PortAttributes(
                active, maxMtu, activeMtu, other, gidTable, gidTableLength, pkeyTable, pkeyTableLength);
    }

    public PortAttributes withGidTable(List<Gid> gids) {
        return new PortAttributes(active, maxMtu, activeMtu, rate, gids, gidTableLength, pkeyTable, pkeyTableLength);
    }

    public PortAttributes withPkeyTable(List<Integer> pkeys) {
        return new PortAttributes(active, maxMtu, activeMtu, rate, gidTable, gidTableLength, pkeys, pkeyTableLength);
    }

    /** Returns an entry of the GID table ({@code ibv_query_gid}); EINVAL for an index outside the table or an empty entry. */
    public Gid gid(int index) {
        if (index < 0 || index >= gidTable.size()) {
            throw VerbsException.invalid("GID index " + index + " is not in use; entries 0 to " + (gidTable.size() - 1)
                    + " of " + gidTableLength + " are in use");
        }
        return gidTable.get(index);
    }

    /**
     * Returns an entry of the P_Key table ({@code ibv_query_pkey}): 16 bits, 0 for an empty entry; EINVAL for an index outside
     * the table.
     */
    public int pkey(int index) {
        if (index < 0 || index >= pkeyTableLength) {
            throw VerbsException.invalid(
                    "the P_Key index is " + index + "; 0 to " + (pkeyTableLength - 1) + " is allowed");
        }
        return index < pkeyTable.size() ? pkeyTable.get(index) : 0;
    }

    /** Returns the index of a P_Key ({@code ibv_get_pkey_index}); EINVAL if no entry has it. */
    public int pkeyIndex(int pkey) {
        int index = pkeyTable.indexOf(pkey);
        if (index < 0) {
            throw VerbsException.invalid("P_Key 0x%04x is not in the table %s".formatted(pkey, pkeys()));
        }
        return index;
    }

    /** True if the low 15 bits are equal and not 0, and at least one of the two is a full member (IBA 10.9.3; rule qp-pkey). */
    public static boolean pkeysMatch(int a, int b) {
        int base = a & ~MEMBERSHIP;
        return base != 0 && base == (b & ~MEMBERSHIP) && ((a | b) & MEMBERSHIP) != 0;
    }

    private List<String> pkeys() {
        return pkeyTable.stream().map("0x%04x"::formatted).toList();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PortAttributes same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "PortAttributes" + values();
    }

    private List<Object> values() {
        return List.of(active, maxMtu, activeMtu, rate, gidTable, gidTableLength, pkeyTable, pkeyTableLength);
    }
}
