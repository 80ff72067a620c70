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
 * On-demand paging ({@code ibv_odp_caps}): the kinds of on-demand regions, and the operations that can fault.
 *
 * <p>Immutable: {@code with} methods return changed copies of {@link #NONE}. Components are added in minor versions.
 */
public final class PagingCapabilities {
    /** A feature of on-demand paging. More will follow: a switch over them wants a default. */
    public enum Feature {
        /** On-demand regions over a range of memory ({@code ODP_SUPPORT}). */
        EXPLICIT,

        /** On-demand regions over the whole address space of the process ({@code ODP_SUPPORT_IMPLICIT}). */
        IMPLICIT,

        /**
         * The adapter reads the host's page tables (CAPI) and has none of its own: a page that the program has touched is
         * present for the adapter, and a prefetch has no effect.
         */
        HOST_TABLES,

        /**
         * A faulting operation blocks until the page is present, as in an adapter implemented in host software: no RNR NAK is
         * sent, and no response is dropped.
         */
        SYNCHRONOUS
    }

    /** A transport that can use on-demand regions. More may follow: a switch over them wants a default. */
    public enum Transport {
        RC,
        UC,
        UD,
        DC,
        XRC,
        RAW_ETHERNET
    }

    /**
     * An operation that can fault, in the order of the bits of {@code ibv_odp_transport_cap_bits}. More may follow: a switch
     * over them wants a default.
     */
    public enum Use {
        SEND,
        RECEIVE,
        WRITE,
        READ,
        ATOMIC,
        SHARED_RECEIVE;

        /** Returns the bit of {@code ibv_odp_transport_cap_bits}, as a mask. */
        public long mask() {
            return 1L << ordinal();
        }
    }

    /** Maximum size of a region if the adapter's translations have no extended offset: 2^16 pages of 4096 bytes. */
    public static final long MAX_BYTES_WITHOUT_EXTENDED_OFFSET = 1L << 28;

    /** No limit on the size of a region. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    private static final int DEFAULT_RNR_TIMER = 14;

    /** No on-demand regions: every page is pinned. */
    public static final PagingCapabilities NONE = new PagingCapabilities(
            EnumSet.noneOf(Feature.class),
            new EnumMap<>(Transport.class),
            MAX_BYTES_WITHOUT_EXTENDED_OFFSET,
            DEFAULT_RNR_TIMER);

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

    /** Returns the features in the order of the enum. */
    public Set<Feature> features() {
        return features;
    }

    public boolean has(Feature feature) {
        return features.contains(feature);
    }

    /** Returns the operations that can fault on this transport, in the order of the enum. */
    public Set<Use> uses(Transport transport) {
        return uses.getOrDefault(transport, Set.of());
    }

    // rule paging-largest
    /**
     * Maximum size of a region over a range: {@link #MAX_BYTES_WITHOUT_EXTENDED_OFFSET} if translations have no extended offset,
     * otherwise {@link #UNLIMITED}. The limit does not apply to a region over the whole address space.
     */
    public long maxRegionBytes() {
        return maxRegionBytes;
    }

    /** IllegalArgumentException unless {@code bytes} is 1 or more. */
    public PagingCapabilities withMaxRegionBytes(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException(
                    "the maximum length of an on-demand region is " + bytes + " bytes; 1 and more is allowed");
        }
        return new PagingCapabilities(features, uses, bytes, rnrTimer);
    }

    /** Timer code of the RNR NAK that a request receives on a page fault (IBA table 45); default 14, which is 1.28 ms. */
    public int rnrTimer() {
        return rnrTimer;
    }

    /** IllegalArgumentException unless the code is 0 to 31. */
    public PagingCapabilities withRnrTimer(int code) {
        if (code < 0 || code > 31) {
            throw new IllegalArgumentException("the RNR timer code is " + code + "; 0 to 31 is allowed");
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

    /** Sets the operations that can fault on this transport, in place of the previous ones. */
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
    /** Returns the capabilities that this firmware and the driver have in common; none unless both support on-demand regions. */
    PagingCapabilities agreedWith(PagingCapabilities driver) {
        if (!has(Feature.EXPLICIT) || !driver.has(Feature.EXPLICIT)) {
            return NONE;
        }
        Set<Feature> common = EnumSet.copyOf(features);
        common.retainAll(driver.features);
        long largest =
                common.contains(Feature.HOST_TABLES) ? UNLIMITED : Math.min(maxRegionBytes, driver.maxRegionBytes);
        // An implicit region needs entries larger than a translation without extended offset allows; the host's own
        // page tables
        // cover all addresses.
        if (common.contains(Feature.HOST_TABLES)) {
            common.add(Feature.IMPLICIT);
        } else if (largest != UNLIMITED) {
            common.remove(Feature.IMPLICIT);
        }
        PagingCapabilities agreed = new PagingCapabilities(common, Map.of(), largest, rnrTimer);
        for (Map.Entry<Transport, Set<Use>> entry : uses.entrySet()) {
            Set<Use> both = EnumSet.copyOf(entry.getValue());
            both.retainAll(driver.uses(entry.getKey()));
            agreed = agreed.with(entry.getKey(), both.toArray(Use[]::new));
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
        return "paging features " + features + ", uses that wait for absent pages: " + uses;
    }
}
