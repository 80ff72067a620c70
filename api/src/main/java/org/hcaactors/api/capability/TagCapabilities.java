// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tag matching ({@code ibv_tm_caps}).
 *
 * <p>Immutable, and made from {@link #NONE} or another by what differs; components are added in minor versions.
 */
public final class TagCapabilities {
    /** No tag matching. */
    public static final TagCapabilities NONE = new TagCapabilities(0, 0, 0, 0, false, false);

    private static final int MAX_TAGS = 0x7FFF;
    private static final int MAX = 0xFFFF;

    private final int maxTags;
    private final int maxOperations;
    private final int maxRendezvousHeaderBytes;
    private final int maxSge;
    private final boolean rc;
    private final boolean dc;

    private TagCapabilities(
            int maxTags, int maxOperations, int maxRendezvousHeaderBytes, int maxSge, boolean rc, boolean dc) {
        this.maxTags = maxTags;
        this.maxOperations = maxOperations;
        this.maxRendezvousHeaderBytes = maxRendezvousHeaderBytes;
        this.maxSge = maxSge;
        this.rc = rc;
        this.dc = dc;
    }

    /** True if tag-matching queues can be created. */
    public boolean isSupported() {
        return maxTags > 0;
    }

    /** Maximum number of receives in a tag list ({@code max_num_tags}); 0 without tag matching. */
    public int maxTags() {
        return maxTags;
    }

    /** Maximum number of outstanding operations on a tag list ({@code max_ops}). */
    public int maxOperations() {
        return maxOperations;
    }

    /** Maximum size of all rendezvous headers together, including the program's own ({@code max_rndv_hdr_size}). */
    public int maxRendezvousHeaderBytes() {
        return maxRendezvousHeaderBytes;
    }

    /** Maximum number of scatter/gather elements of a receive in a tag list ({@code max_sge}). */
    public int maxSge() {
        return maxSge;
    }

    /** True if tag matching works over RC ({@code IBV_TM_CAP_RC}). */
    public boolean rc() {
        return rc;
    }

    /** True if tag matching works over DC ({@code IBV_EXP_TM_CAP_DC}). */
    public boolean dc() {
        return dc;
    }

    /** IllegalArgumentException unless {@code max} is 0 to 32,767. */
    public TagCapabilities withMaxTags(int max) {
        return new TagCapabilities(
                within("maximum of tags", max, MAX_TAGS), maxOperations, maxRendezvousHeaderBytes, maxSge, rc, dc);
    }

    /** IllegalArgumentException unless {@code max} is 0 to 65,535. */
    public TagCapabilities withMaxOperations(int max) {
        return new TagCapabilities(
                maxTags, within("maximum of tag operations", max, MAX), maxRendezvousHeaderBytes, maxSge, rc, dc);
    }

    /** IllegalArgumentException unless {@code max} is 0 to 65,535. */
    public TagCapabilities withMaxRendezvousHeaderBytes(int max) {
        return new TagCapabilities(
                maxTags, maxOperations, within("maximum of rendezvous header bytes", max, MAX), maxSge, rc, dc);
    }

    /** IllegalArgumentException unless {@code max} is 0 to 65,535. */
    public TagCapabilities withMaxSge(int max) {
        return new TagCapabilities(
                maxTags,
                maxOperations,
                maxRendezvousHeaderBytes,
                within("maximum of scatter/gather elements", max, MAX),
                rc,
                dc);
    }

    public TagCapabilities withRc(boolean supported) {
        return new TagCapabilities(maxTags, maxOperations, maxRendezvousHeaderBytes, maxSge, supported, dc);
    }

    public TagCapabilities withDc(boolean supported) {
        return new TagCapabilities(maxTags, maxOperations, maxRendezvousHeaderBytes, maxSge, rc, supported);
    }

    private static int within(String what, int value, int max) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException("the " + what + " is " + value + "; 0 to " + max + " is allowed");
        }
        return value;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TagCapabilities group && values().equals(group.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "TagCapabilities" + values();
    }

    private List<Object> values() {
        return List.of(maxTags, maxOperations, maxRendezvousHeaderBytes, maxSge, rc, dc);
    }
}
