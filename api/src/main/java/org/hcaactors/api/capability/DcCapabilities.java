// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The responders that an adapter has for dynamically connected peers, in one pool.
 *
 * <p>Immutable, and made from {@link #NONE} or another by what differs; components are added in minor versions.
 */
public final class DcCapabilities {
    /** No dynamically connected transport. */
    public static final DcCapabilities NONE = new DcCapabilities(0, 0);

    private final int responders;
    private final int logHashTable;

    private DcCapabilities(int responders, int logHashTable) {
        this.responders = responders;
        this.logHashTable = logHashTable;
    }

    /** How many peers are answered at a time; 0 where the transport is not there. */
    public int responders() {
        return responders;
    }

    /** Log2 of the buckets in which the responder of a peer is looked for. */
    public int logHashTable() {
        return logHashTable;
    }

    /** IllegalArgumentException unless it is 0 to 2^24. */
    public DcCapabilities withResponders(int most) {
        if (most < 0 || most > 1 << 24) {
            throw new IllegalArgumentException(most + " responders; 0 to " + (1 << 24) + " are allowed");
        }
        return new DcCapabilities(most, logHashTable);
    }

    /** IllegalArgumentException unless it is 0 to 31. */
    public DcCapabilities withLogHashTable(int log) {
        if (log < 0 || log > 31) {
            throw new IllegalArgumentException("a hash table of 2^" + log + " buckets; 0 to 31 are allowed");
        }
        return new DcCapabilities(responders, log);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DcCapabilities group && values().equals(group.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "DcCapabilities" + values();
    }

    private List<Object> values() {
        return List.of(responders, logHashTable);
    }
}
