// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What can be registered beside memory of the process, and what a region can become.
 *
 * <p>Immutable, and made from {@link #NONE} or another by what differs; components are added in minor versions.
 */
public final class MemoryCapabilities {
    /** One of them. More will follow: a switch over them wants a default. */
    public enum Feature {
        /** A region's domain and rights change ({@code ibv_rereg_mr}). */
        REREGISTRATION,

        /** Its translation does, too; Soft-RoCE's does not. */
        REREGISTRATION_OF_TRANSLATION,

        /** A registration makes its memory ({@code IBV_EXP_DEVICE_MR_ALLOCATE}). */
        ALLOCATION,

        /** Processes of one host share what registrations made. */
        SHARED_REGIONS,

        /** A region whose writes go nowhere and whose reads give zeros ({@code ibv_alloc_null_mr}). */
        NULL_REGION,

        /** The host's physical memory, as a whole. */
        PHYSICAL_ADDRESSES,

        /** Ranges of it ({@code PHYSICAL_RANGE_MR}). */
        PHYSICAL_RANGE,

        /** Memory of a peer device (Mellanox PeerDirect). */
        PEER_MEMORY
    }

    /** Memory of the process, which never changes. */
    public static final MemoryCapabilities NONE = new MemoryCapabilities(EnumSet.noneOf(Feature.class));

    private final Set<Feature> features;

    private MemoryCapabilities(Set<Feature> features) {
        this.features = Collections.unmodifiableSet(features);
    }

    /** In the order of the enum. */
    public Set<Feature> features() {
        return features;
    }

    public boolean has(Feature feature) {
        return features.contains(feature);
    }

    public MemoryCapabilities with(Feature... more) {
        Set<Feature> all = EnumSet.noneOf(Feature.class);
        all.addAll(features);
        Collections.addAll(all, more);
        return new MemoryCapabilities(all);
    }

    public MemoryCapabilities without(Feature feature) {
        Set<Feature> less = EnumSet.noneOf(Feature.class);
        less.addAll(features);
        less.remove(feature);
        return new MemoryCapabilities(less);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MemoryCapabilities group && features.equals(group.features);
    }

    @Override
    public int hashCode() {
        return features.hashCode();
    }

    @Override
    public String toString() {
        return "MemoryCapabilities" + features;
    }
}
