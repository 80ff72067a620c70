package org.hcaactors.api.address;

/**
 * The global part of an address ({@code ibv_global_route}); on RoCE it becomes the IP header.
 *
 * @param destination of the peer's port, or a multicast group
 * @param sourceGidIndex which entry of the local GID table packets come from
 * @param flowLabel 20 bits; 0 leaves the choice of the UDP source port to the adapter
 * @param trafficClass IP traffic class: DSCP and ECN, 8 bits
 * @param hopLimit IP TTL or hop limit, 1 to 255
 */
public record GlobalRoute(Gid destination, int sourceGidIndex, int flowLabel, int trafficClass, int hopLimit) {}
