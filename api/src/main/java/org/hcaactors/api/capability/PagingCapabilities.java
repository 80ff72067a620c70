// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
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
        HOST_TABLES,

        /**
         * What finds a page absent waits where it is, as in an adapter that is software of the host: no peer is told to try again,
         * and no response is dropped.
         */
        SYNCHRONOUS
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

    /** Of a region, where the adapter's translations have no extended offset: 2^16 pages of 4096 bytes. */
    public static final long MAX_BYTES_WITHOUT_EXTENDED_OFFSET = 1L << 28;

    /** The largest region is as large as one can be. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    private static final int DEFAULT_RNR_TIMER = 14;

    /** Every page is pinned. */
    public static final PagingCapabilities NONE = new PagingCapabilities(
            EnumSet.noneOf(Feature.class), new EnumMap<>(Transport.class), MAX_BYTES_WITHOUT_EXTENDED_OFFSET, DEFAULT_RNR_TIMER);

    private final Set<Feature> features;
    private final Map<Transport, Set<Use>> uses;
    private final long maxRegionBytes;
    private final int rnrTimer;

    private PagingCapabilities(
            Set<Feature> features, Map<Transport, Set<Use>> uses, long maxRegionBytes, int rnrTimer) {
        this.maxRegionBytes = maxRegionBytes;
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

    // rule paging-largest
    /**
     * The largest region of a range: {@link #MAX_BYTES_WITHOUT_EXTENDED_OFFSET} where translations have no extended offset, else {@link
     * #UNLIMITED}. One of the whole address space is none of them.
     */
    public long maxRegionBytes() {
        return maxRegionBytes;
    }

    /** IllegalArgumentException unless it is 1 or more. */
    public PagingCapabilities withMaxRegionBytes(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException(bytes + " bytes of a region on demand; 1 and more are allowed");
        }
        return new PagingCapabilities(features, uses, bytes, rnrTimer);
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
        return new PagingCapabilities(features, uses, maxRegionBytes, code);
    }

    public PagingCapabilities with(Feature... more) {
        Set<Feature> all = EnumSet.noneOf(Feature.class);
        all.addAll(features);
        Collections.addAll(all, more);
        return new PagingCapabilities(all, uses, maxRegionBytes, rnrTimer);
    }

    public PagingCapabilities without(Feature feature) {
        Set<Feature> less = EnumSet.noneOf(Feature.class);
        less.addAll(features);
        less.remove(feature);
        return new PagingCapabilities(less, uses, maxRegionBytes, rnrTimer);
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
        return new PagingCapabilities(features, all, maxRegionBytes, rnrTimer);
    }

    // rule paging-agreed
    /** What the firmware that this is and a driver can do together; nothing, where one of them knows no regions on demand. */
    PagingCapabilities agreedWith(PagingCapabilities driver) {
        if (!has(Feature.EXPLICIT) || !driver.has(Feature.EXPLICIT)) {
            return NONE;
        }
        Set<Feature> common = EnumSet.copyOf(features);
        common.retainAll(driver.features);
        long largest =
                common.contains(Feature.HOST_TABLES) ? UNLIMITED : Math.min(maxRegionBytes, driver.maxRegionBytes);
        // Each of its slots is larger than what has no extended offset; the host's own tables have all addresses.
        if (common.contains(Feature.HOST_TABLES)) {
            common.add(Feature.IMPLICIT);
        } else if (largest != UNLIMITED) {
            common.remove(Feature.IMPLICIT);
        }
        PagingCapabilities agreed = new PagingCapabilities(common, Map.of(), largest, rnrTimer);
        for (Map.Entry<Transport, Set<Use>> here : uses.entrySet()) {
            Set<Use> both = EnumSet.copyOf(here.getValue());
            both.retainAll(driver.uses(here.getKey()));
            agreed = agreed.with(here.getKey(), both.toArray(Use[]::new));
        }
        return agreed;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PagingCapabilities group
                && features.equals(group.features)
                && maxRegionBytes == group.maxRegionBytes
                && rnrTimer == group.rnrTimer
                && uses.equals(group.uses);
    }

    @Override
    public int hashCode() {
        return Objects.hash(features, uses, maxRegionBytes, rnrTimer);
    }

    @Override
    public String toString() {
        return "paging " + features + ", waits for pages: " + uses;
    }
}
