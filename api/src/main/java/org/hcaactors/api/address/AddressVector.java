package org.hcaactors.api.address;

import java.util.Optional;

/**
 * A path to a port ({@code ibv_ah_attr}).
 *
 * @param route the global part; RoCE has no other way, and an address without it is refused with EINVAL there
 * @param lid local identifier on InfiniBand; without meaning on RoCE
 * @param port local port, from 1
 */
public record AddressVector(Optional<GlobalRoute> route, int lid, int port) {
    private static final int DEFAULT_HOP_LIMIT = 64;

    /** From entry 0 of the GID table, hop limit 64. */
    public static AddressVector to(Gid destination) {
        return to(new GlobalRoute(destination, 0, 0, 0, DEFAULT_HOP_LIMIT));
    }

    public static AddressVector to(GlobalRoute route) {
        return new AddressVector(Optional.of(route), 0, 1);
    }

    /** An address without a global route. */
    public static AddressVector toLid(int lid) {
        return new AddressVector(Optional.empty(), lid, 1);
    }
}
