// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Kinds of memory, besides memory of the process, that can be registered, and changes to a region.
 *
 * <p>Immutable: {@code with} methods return changed copies of {@link #NONE}. Components are added in minor versions.
 */
public final class MemoryCapabilities {
    /** A feature of memory registration. More will follow: a switch over them wants a default. */
    public enum Feature {
        /** A region's domain and rights can be changed ({@code ibv_rereg_mr}). */
        REREGISTRATION,

        /** A region's translation can be changed; not on Soft-RoCE. */
        REREGISTRATION_OF_TRANSLATION,

        /** A registration can allocate its memory ({@code IBV_EXP_DEVICE_MR_ALLOCATE}). */
        ALLOCATION,

        /** Processes of one host can share memory that a registration allocated. */
        SHARED_REGIONS,

        /** A region that discards writes and reads as zeros ({@code ibv_alloc_null_mr}). */
        NULL_REGION,

        /** All of the host's physical memory can be registered. */
        PHYSICAL_ADDRESSES,

        /** Ranges of physical memory can be registered ({@code PHYSICAL_RANGE_MR}). */
        PHYSICAL_RANGE,

        /** Memory of a peer device (Mellanox PeerDirect). */
        PEER_MEMORY
    }

    private static final long FROM_4_KIB = -4096;

    /** Only memory of the process, in pages of any size from 4 KiB; regions cannot be changed. */
    public static final MemoryCapabilities NONE = new MemoryCapabilities(EnumSet.noneOf(Feature.class), FROM_4_KIB);

    private final Set<Feature> features;
    private final long pageSizes;

    private MemoryCapabilities(Set<Feature> features, long pageSizes) {
        this.features = Collections.unmodifiableSet(features);
        this.pageSizes = pageSizes;
    }

    /** Returns the features in the order of the enum. */
    public Set<Feature> features() {
        return features;
    }

    public boolean has(Feature feature) {
        return features.contains(feature);
    }

    /**
     * Sizes of the pages that the adapter can translate, the sum of the sizes in bytes ({@code page_size_cap}). Only reported:
     * regions here have the pages of their host.
     */
    public long pageSizes() {
        return pageSizes;
    }

    /** @param mask the sum of the sizes in bytes */
    public MemoryCapabilities withPageSizes(long mask) {
        return new MemoryCapabilities(features, mask);
    }

    public MemoryCapabilities with(Feature... more) {
        Set<Feature> all = EnumSet.noneOf(Feature.class);
        all.addAll(features);
        Collections.addAll(all, more);
        return new MemoryCapabilities(all, pageSizes);
    }

    public MemoryCapabilities without(Feature feature) {
        Set<Feature> less = EnumSet.noneOf(Feature.class);
        less.addAll(features);
        less.remove(feature);
        return new MemoryCapabilities(less, pageSizes);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MemoryCapabilities group
                && features.equals(group.features)
                && pageSizes == group.pageSizes;
    }

    @Override
    public int hashCode() {
        return 31 * features.hashCode() + Long.hashCode(pageSizes);
    }

    @Override
    public String toString() {
        return "MemoryCapabilities" + features + "0x%x".formatted(pageSizes);
    }
}
