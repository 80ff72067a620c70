// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.address;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A path to a port ({@code ibv_ah_attr}).
 *
 * <p>Immutable; components are added in minor versions.
 */
public final class AddressVector {
    private final Optional<GlobalRoute> route;
    private final int lid;
    private final int port;

    private AddressVector(Optional<GlobalRoute> route, int lid, int port) {
        this.route = route;
        this.lid = lid;
        this.port = port;
    }

    /** From entry 0 of the GID table, hop limit {@value GlobalRoute#DEFAULT_HOP_LIMIT}. */
    public static AddressVector to(Gid destination) {
        return to(GlobalRoute.to(destination));
    }

    /** From port 1. */
    public static AddressVector to(GlobalRoute route) {
        return new AddressVector(Optional.of(route), 0, 1);
    }

    /** From port 1, without a global route. */
    public static AddressVector toLid(int lid) {
        return new AddressVector(Optional.empty(), lid, 1);
    }

    /** Global route; empty only for InfiniBand: on RoCE an address without it is refused with EINVAL. */
    public Optional<GlobalRoute> route() {
        return route;
    }

    /** LID on InfiniBand; unused on RoCE. */
    public int lid() {
        return lid;
    }

    /** Local port, from 1. */
    public int port() {
        return port;
    }

    public AddressVector withPort(int number) {
        return new AddressVector(route, lid, number);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AddressVector same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "AddressVector" + values();
    }

    private List<Object> values() {
        return List.of(route, lid, port);
    }
}
