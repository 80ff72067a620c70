// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.packet;

/**
 * The path of a packet: fields of its IP and UDP headers (rule wire-route).
 *
 * @param source sender's port
 * @param destination receiver's port
 * @param trafficClass 8 bits: DSCP and ECN
 * @param hopLimit IPv4 TTL or IPv6 hop limit
 * @param flowLabel 20 bits, IPv6 only
 * @param udpSourcePort 16 bits, entropy for multipath
 * @param identification 16 bits, IPv4 only
 * @param flags 16 bits, IPv4 only: flags and fragment offset
 */
public record Route(
        PortAddress source,
        PortAddress destination,
        int trafficClass,
        int hopLimit,
        int flowLabel,
        int udpSourcePort,
        int identification,
        int flags) {
    public static final int UDP_DESTINATION_PORT = 4791;
    public static final int DONT_FRAGMENT = 0x4000;

    private static final int PORT_BASE = 0xC000;

    /** Creates the route of a packet that this fabric sends: never fragmented, so it needs no identification. */
    public Route(
            PortAddress source,
            PortAddress destination,
            int trafficClass,
            int hopLimit,
            int flowLabel,
            int udpSourcePort) {
        this(source, destination, trafficClass, hopLimit, flowLabel, udpSourcePort, 0, DONT_FRAGMENT);
    }

    /** Replaces the flow label; the UDP source port does not change. */
    public Route withFlowLabel(int other) {
        return new Route(source, destination, trafficClass, hopLimit, other, udpSourcePort, identification, flags);
    }

    public Route withUdpSourcePort(int other) {
        return new Route(source, destination, trafficClass, hopLimit, flowLabel, other, identification, flags);
    }

    /** Replaces the identification, 16 bits. */
    public Route withIdentification(int other) {
        return new Route(source, destination, trafficClass, hopLimit, flowLabel, udpSourcePort, other, flags);
    }

    public Route withSource(PortAddress other) {
        return new Route(other, destination, trafficClass, hopLimit, flowLabel, udpSourcePort, identification, flags);
    }

    /** Returns the opposite direction, in the same flow. */
    public Route reversed() {
        return new Route(destination, source, trafficClass, hopLimit, flowLabel, udpSourcePort, identification, flags);
    }

    /** Returns the UDP source port for a flow label: low 14 bits xor high 6 bits, above 0xC000 (rule wire-source-port). */
    public static int udpSourcePort(int flowLabel) {
        int low = flowLabel & 0x3FFF;
        int high = (flowLabel & 0xFC000) >> 14;
        return (low ^ high) | PORT_BASE;
    }

    /** Returns the flow label that is used if the attribute is 0: the same for both directions of a connection. */
    public static int flowLabel(int localQp, int remoteQp) {
        long product = (long) localQp * remoteQp;
        product ^= product >> 20;
        product ^= product >> 40;
        return (int) (product & 0xFFFFF);
    }
}
