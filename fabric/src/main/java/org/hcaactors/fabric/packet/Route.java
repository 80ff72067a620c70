package org.hcaactors.fabric.packet;

/**
 * What the IP and UDP headers say of a packet's way (wire-formats 1.7).
 *
 * @param source sender's port
 * @param destination receiver's port
 * @param trafficClass 8 bits: DSCP and ECN
 * @param hopLimit IPv4 TTL or IPv6 hop limit
 * @param flowLabel 20 bits, IPv6 only
 * @param udpSourcePort 16 bits, entropy for multipath
 */
public record Route(
        PortAddress source, PortAddress destination, int trafficClass, int hopLimit, int flowLabel, int udpSourcePort) {
    public static final int UDP_DESTINATION_PORT = 4791;
    private static final int PORT_BASE = 0xC000;

    /** Another flow label; the UDP source port stays. */
    public Route withFlowLabel(int other) {
        return new Route(source, destination, trafficClass, hopLimit, other, udpSourcePort);
    }

    public Route withSource(PortAddress other) {
        return new Route(other, destination, trafficClass, hopLimit, flowLabel, udpSourcePort);
    }

    /** The UDP source port for a flow label: low 14 bits xor high 6 bits, above 0xC000. */
    public static int udpSourcePort(int flowLabel) {
        int low = flowLabel & 0x3FFF;
        int high = (flowLabel & 0xFC000) >> 14;
        return (low ^ high) | PORT_BASE;
    }

    /** The flow label that stands for 0: the same for both directions of a connection. */
    public static int flowLabel(int localQp, int remoteQp) {
        long product = (long) localQp * remoteQp;
        product ^= product >> 20;
        product ^= product >> 40;
        return (int) (product & 0xFFFFF);
    }
}
