// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Features that need both the adapter and the host's processor. A profile that supports one has it turned off by default; a
 * firmware setting turns it on from the next power cycle. {@code adapter.profile().platform()} returns the features that are
 * on.
 *
 * <p>Immutable: {@code with} methods return changed copies of {@link #NONE}. Components are added in minor versions.
 */
public final class PlatformCapabilities {
    /** A platform feature. More will follow: a switch over them wants a default. */
    public enum Feature {
        /** WRITEs into a region carry commands that the host's memory controller executes ({@code TUNNELED_ATOMIC}). */
        TUNNELED_ATOMIC,

        /** A completion queue wakes a waiting thread without an interrupt ({@code IBV_EXP_CQ_AS_NOTIFY}). */
        AS_NOTIFY
    }

    /** No platform features. */
    public static final PlatformCapabilities NONE = new PlatformCapabilities(EnumSet.noneOf(Feature.class));

    private final Set<Feature> features;

    private PlatformCapabilities(Set<Feature> features) {
        this.features = Collections.unmodifiableSet(features);
    }

    /** Returns the features in the order of the enum. */
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
