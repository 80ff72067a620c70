// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * On-demand paging ({@code ibv_odp_caps}): what regions whose pages come when they are used can be, and which uses wait for a
 * page.
 *
 * <p>Immutable, and made from {@link #NONE} or another by what differs; components are added in minor versions.
 */
public final class PagingCapabilities {
    /** More will follow: a switch over them wants a default. */
    public enum Feature {
        /** A region over a range of memory whose pages come when they are used ({@code ODP_SUPPORT}). */
        EXPLICIT,

        /** A region over the whole address space of its process ({@code ODP_SUPPORT_IMPLICIT}). */
        IMPLICIT,

        /**
         * The adapter reads the host's own page tables (CAPI): it keeps none of pages, a page that the program has touched is there for
         * it, and a prefetch has nothing to do.
         */
        HOST_TABLES
    }

    /** More may follow: a switch over them wants a default. */
    public enum Transport {
        RC,
        UC,
        UD,
        DC,
        XRC,
        RAW_ETHERNET
    }

    /** What waits for a page; in the order of their bits. More may follow: a switch over them wants a default. */
    public enum Use {
        SEND,
        RECEIVE,
        WRITE,
        READ,
        ATOMIC,
        SHARED_RECEIVE
    }

    private static final int DEFAULT_RNR_TIMER = 14;

    /** Every page is pinned. */
    public static final PagingCapabilities NONE =
            new PagingCapabilities(EnumSet.noneOf(Feature.class), new EnumMap<>(Transport.class), DEFAULT_RNR_TIMER);

    private final Set<Feature> features;
    private final Map<Transport, Set<Use>> uses;
    private final int rnrTimer;

    private PagingCapabilities(Set<Feature> features, Map<Transport, Set<Use>> uses, int rnrTimer) {
        this.rnrTimer = rnrTimer;
        this.features = Collections.unmodifiableSet(features);
        this.uses = Collections.unmodifiableMap(uses);
    }

    /** In the order of the enum. */
    public Set<Feature> features() {
        return features;
    }

    public boolean has(Feature feature) {
        return features.contains(feature);
    }

    /** What waits for pages on that transport, in the order of the enum. */
    public Set<Use> uses(Transport transport) {
        return uses.getOrDefault(transport, Set.of());
    }

    /**
     * For how long a peer is told to wait whose request found no page, as a code of an RNR NAK (IBA table 45): 14, which is
     * 1.28 ms, unless said otherwise.
     */
    public int rnrTimer() {
        return rnrTimer;
    }

    /** IllegalArgumentException unless the code is 0 to 31. */
    public PagingCapabilities withRnrTimer(int code) {
        if (code < 0 || code > 31) {
            throw new IllegalArgumentException("RNR timer code " + code + "; 0 to 31");
        }
        return new PagingCapabilities(features, uses, code);
    }

    public PagingCapabilities with(Feature... more) {
        Set<Feature> all = EnumSet.noneOf(Feature.class);
        all.addAll(features);
        Collections.addAll(all, more);
        return new PagingCapabilities(all, uses, rnrTimer);
    }

    public PagingCapabilities without(Feature feature) {
        Set<Feature> less = EnumSet.noneOf(Feature.class);
        less.addAll(features);
        less.remove(feature);
        return new PagingCapabilities(less, uses, rnrTimer);
    }

    /** These uses of that transport, and no others. */
    public PagingCapabilities with(Transport transport, Use... these) {
        Map<Transport, Set<Use>> all = new EnumMap<>(Transport.class);
        all.putAll(uses);
        Set<Use> set = EnumSet.noneOf(Use.class);
        Collections.addAll(set, these);
        all.put(transport, Collections.unmodifiableSet(set));
        if (set.isEmpty()) {
            all.remove(transport);
        }
        return new PagingCapabilities(features, all, rnrTimer);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PagingCapabilities group
                && features.equals(group.features)
                && rnrTimer == group.rnrTimer
                && uses.equals(group.uses);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * features.hashCode() + uses.hashCode()) + rnrTimer;
    }

    @Override
    public String toString() {
        return "paging " + features + ", waits for pages: " + uses;
    }
}
