// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.address;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The global part of an address ({@code ibv_global_route}); on RoCE it becomes the IP header. A value out of range is refused
 * with EINVAL when it is used.
 *
 * <p>Immutable; components are added in minor versions.
 */
public final class GlobalRoute {
    /** Default hop limit. */
    public static final int DEFAULT_HOP_LIMIT = 64;

    private final Gid destination;
    private final int sourceGidIndex;
    private final int flowLabel;
    private final int trafficClass;
    private final int hopLimit;

    private GlobalRoute(Gid destination, int sourceGidIndex, int flowLabel, int trafficClass, int hopLimit) {
        this.destination = destination;
        this.sourceGidIndex = sourceGidIndex;
        this.flowLabel = flowLabel;
        this.trafficClass = trafficClass;
        this.hopLimit = hopLimit;
    }

    /** From entry 0 of the GID table, flow label and traffic class 0, hop limit {@value #DEFAULT_HOP_LIMIT}. */
    public static GlobalRoute to(Gid destination) {
        return new GlobalRoute(Objects.requireNonNull(destination, "destination"), 0, 0, 0, DEFAULT_HOP_LIMIT);
    }

    /** Address of the peer's port, or of a multicast group. */
    public Gid destination() {
        return destination;
    }

    /** Index of the source address in the local GID table. */
    public int sourceGidIndex() {
        return sourceGidIndex;
    }

    /** 20 bits; 0 leaves the choice of the UDP source port to the adapter. */
    public int flowLabel() {
        return flowLabel;
    }

    /** IP traffic class: DSCP and ECN, 8 bits. */
    public int trafficClass() {
        return trafficClass;
    }

    /** IP TTL or hop limit, 1 to 255. */
    public int hopLimit() {
        return hopLimit;
    }

    public GlobalRoute withSourceGidIndex(int index) {
        return new GlobalRoute(destination, index, flowLabel, trafficClass, hopLimit);
    }

    public GlobalRoute withFlowLabel(int label) {
        return new GlobalRoute(destination, sourceGidIndex, label, trafficClass, hopLimit);
    }

    public GlobalRoute withTrafficClass(int octet) {
        return new GlobalRoute(destination, sourceGidIndex, flowLabel, octet, hopLimit);
    }

    public GlobalRoute withHopLimit(int hops) {
        return new GlobalRoute(destination, sourceGidIndex, flowLabel, trafficClass, hops);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof GlobalRoute same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "GlobalRoute" + values();
    }

    private List<Object> values() {
        return List.of(destination, sourceGidIndex, flowLabel, trafficClass, hopLimit);
    }
}
