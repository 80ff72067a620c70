// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.neighbour;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Function;
import org.hcaactors.fabric.cable.MacAddress;
import org.hcaactors.fabric.packet.PortAddress;

/** A message of neighbor discovery for IPv6 (RFC 4861 4.3, 4.4). */
sealed interface NeighbourMessage {
    /** Hop limit that shows that no router forwarded the message. */
    int HOP_LIMIT = 255;

    int SOLICITATION = 135;
    int ADVERTISEMENT = 136;

    /** Flags and the target address. */
    int FIXED = 4 + 16;

    int SOLICITED = 1 << 30;
    int OVERRIDE = 1 << 29;
    byte SOURCE_MAC = 1;
    byte TARGET_MAC = 2;
    /** Bytes of an option with a MAC address, the unit of lengths of options. */
    int OPTION = 8;

    /** Group of all hosts of a link. */
    PortAddress ALL_NODES = new PortAddress(0xFF02L << 48, 1);

    /**
     * The question for the MAC address of a host.
     *
     * @param source of the packet; unspecified if a host is about to take the target address
     * @param mac of the asking host, if it says it
     */
    record Solicitation(PortAddress source, PortAddress target, Optional<MacAddress> mac) implements NeighbourMessage {
        /** Returns the frame to one host, or to the group that the target is in. */
        byte[] frame(MacAddress own, Optional<MacAddress> to) {
            PortAddress group = solicitedNode(target);
            PortAddress destination = to.isPresent() ? target : group;
            return NeighbourMessage.frame(
                    own, to.orElseGet(() -> EthernetHeader.ofGroup(group)), source, destination, SOLICITATION, this);
        }
    }

    /**
     * The MAC address of a host.
     *
     * @param mac of the target, if it says it
     * @param solicited it answers a question
     * @param override it replaces what was known before
     */
    record Advertisement(
            PortAddress source, PortAddress target, Optional<MacAddress> mac, boolean solicited, boolean override)
            implements NeighbourMessage {
        byte[] frame(MacAddress own, MacAddress toMac, PortAddress to) {
            return NeighbourMessage.frame(own, toMac, source, to, ADVERTISEMENT, this);
        }
    }

    PortAddress target();

    Optional<MacAddress> mac();

    /** Returns the group of hosts whose addresses have the same last 24 bits (RFC 4291 2.7.1). */
    static PortAddress solicitedNode(PortAddress target) {
        return new PortAddress(0xFF02L << 48, 0x1_FF00_0000L | target.low() & 0xFF_FFFF);
    }

    /** Returns the message of a packet; empty if it is another one, or not valid (RFC 4861 7.1). */
    static Optional<NeighbourMessage> of(Icmpv6 packet) {
        boolean isNeighbours = packet.type() == SOLICITATION || packet.type() == ADVERTISEMENT;
        if (!isNeighbours || packet.code() != 0 || packet.hopLimit() != HOP_LIMIT || packet.body().length < FIXED) {
            return Optional.empty();
        }
        ByteBuffer in = ByteBuffer.wrap(packet.body());
        int flags = in.getInt();
        PortAddress target = new PortAddress(in.getLong(), in.getLong());
        if (target.isMulticast() || target.isIpv4() || !hasWholeOptions(in.slice())) {
            return Optional.empty();
        }
        return packet.type() == SOLICITATION
                ? Optional.of(new Solicitation(packet.source(), target, option(in, SOURCE_MAC)))
                        .filter(asked -> !asked.source.isUnspecified() || asked.mac.isEmpty())
                        .map(Function.identity())
                : Optional.of(new Advertisement(
                                packet.source(),
                                target,
                                option(in, TARGET_MAC),
                                (flags & SOLICITED) != 0,
                                (flags & OVERRIDE) != 0))
                        .filter(told -> !told.solicited || !packet.destination().isMulticast())
                        .map(Function.identity());
    }

    private static boolean hasWholeOptions(ByteBuffer in) {
        while (in.hasRemaining()) {
            int bytes = in.remaining() < OPTION ? 0 : (in.get(in.position() + 1) & 0xFF) * OPTION;
            if (bytes == 0 || bytes > in.remaining()) {
                return false;
            }
            in.position(in.position() + bytes);
        }
        return true;
    }

    private static Optional<MacAddress> option(ByteBuffer in, byte type) {
        while (in.hasRemaining()) {
            int start = in.position();
            byte found = in.get();
            int bytes = (in.get() & 0xFF) * OPTION;
            if (found == type && bytes == OPTION) {
                return Optional.of(MacAddress.read(in));
            }
            in.position(start + bytes);
        }
        return Optional.empty();
    }

    private static byte[] frame(
            MacAddress own,
            MacAddress toMac,
            PortAddress source,
            PortAddress destination,
            int type,
            NeighbourMessage message) {
        int flags = switch (message) {
            case Solicitation asked -> 0;
            case Advertisement told -> (told.solicited ? SOLICITED : 0) | (told.override ? OVERRIDE : 0);
        };
        ByteBuffer body = ByteBuffer.allocate(FIXED + (message.mac().isPresent() ? OPTION : 0));
        body.putInt(flags)
                .putLong(message.target().high())
                .putLong(message.target().low());
        message.mac().ifPresent(mac -> {
            body.put(type == SOLICITATION ? SOURCE_MAC : TARGET_MAC).put((byte) 1);
            mac.write(body);
        });
        return new Icmpv6(source, destination, HOP_LIMIT, type, 0, body.array())
                .frame(new EthernetHeader(toMac, own, EthernetHeader.TYPE_IPV6));
    }
}
