// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an adapter and the processor behind its slot do together. Models that could are made with all of it turned off: a firmware
 * setting turns it on, from the next power cycle on. Whether it is on now says {@code adapter.profile().platform()}.
 *
 * <p>Immutable, and made from {@link #NONE} or another by what differs; components are added in minor versions.
 */
public final class PlatformCapabilities {
    /** One of them. More will follow: a switch over them wants a default. */
    public enum Feature {
        /** Writes into a region carry commands that the host's memory controller does ({@code TUNNELED_ATOMIC}). */
        TUNNELED_ATOMIC,

        /** A completion queue wakes the thread that waits for it ({@code IBV_EXP_CQ_AS_NOTIFY}). */
        AS_NOTIFY
    }

    /** A card in a slot, and no more. */
    public static final PlatformCapabilities NONE = new PlatformCapabilities(EnumSet.noneOf(Feature.class));

    private final Set<Feature> features;

    private PlatformCapabilities(Set<Feature> features) {
        this.features = Collections.unmodifiableSet(features);
    }

    /** In the order of the enum. */
    public Set<Feature> features() {
        return features;
    }

    public boolean has(Feature feature) {
        return features.contains(feature);
    }

    public PlatformCapabilities with(Feature... more) {
        Set<Feature> all = copy();
        Collections.addAll(all, more);
        return new PlatformCapabilities(all);
    }

    public PlatformCapabilities without(Feature feature) {
        Set<Feature> less = copy();
        less.remove(feature);
        return new PlatformCapabilities(less);
    }

    private Set<Feature> copy() {
        Set<Feature> copy = EnumSet.noneOf(Feature.class);
        copy.addAll(features);
        return copy;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PlatformCapabilities group && features.equals(group.features);
    }

    @Override
    public int hashCode() {
        return features.hashCode();
    }

    @Override
    public String toString() {
        return "PlatformCapabilities" + features;
    }
}
