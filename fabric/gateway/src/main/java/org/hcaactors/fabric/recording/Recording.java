// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.recording;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.fabric.capture.CaptureFormatException;
import org.hcaactors.fabric.capture.CaptureReader;
import org.hcaactors.fabric.capture.DecodedFrame;
import org.hcaactors.fabric.capture.DecodedFrames;
import org.hcaactors.fabric.mad.CmCodec;
import org.hcaactors.fabric.mad.CmMessage;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.fabric.wire.Decoded;
import org.hcaactors.fabric.wire.FrameEncoder;
import org.hcaactors.fabric.wire.IpHeader;
import org.hcaactors.fabric.wire.RoceFrame;

/**
 * The packets between a peer and this side in a capture.
 *
 * @param peer address of the peer
 * @param addresses addresses of this side, in the order of their first packets
 * @param packets in the order of the capture
 * @param pathMtuBytes path MTU that the packets show; the largest that no packet contradicts
 * @param queuePairs connections, and pairs of queue pairs that exchanged datagrams
 */
public record Recording(
        PortAddress peer,
        List<InetAddress> addresses,
        List<RecordedPacket> packets,
        int pathMtuBytes,
        List<RecordedQueuePair> queuePairs) {
    /** Maximum number of packets; a longer capture is refused. */
    public static final int MAX_PACKETS = 200_000;

    /** Maximum of the bytes of all payloads; a longer capture is refused. */
    public static final long MAX_PAYLOAD_BYTES = 1L << 28;

    private static final int SMALLEST_MTU = 256;
    private static final int USUAL_MTU = 1024;
    private static final int LARGEST_MTU = 4096;
    private static final int MAX_ADDRESSES_NAMED = 8;

    public Recording {
        addresses = List.copyOf(addresses);
        packets = List.copyOf(packets);
        queuePairs = List.copyOf(queuePairs);
    }

    /**
     * Reads a capture to its end and closes it.
     *
     * @throws CaptureFormatException if it is damaged, has no packet of the peer, or one that cannot be played
     */
    public static Recording read(CaptureReader capture, PortAddress peer) throws IOException {
        List<RecordedPacket> packets = new ArrayList<>();
        Set<PortAddress> seen = new LinkedHashSet<>();
        long bytes = 0;
        try (DecodedFrames frames = DecodedFrames.of(capture)) {
            for (Optional<DecodedFrame> next = frames.next(); next.isPresent(); next = frames.next()) {
                Optional<RecordedPacket> recorded = read(next.get(), peer, seen);
                recorded.ifPresent(packets::add);
                bytes += recorded.map(each -> each.packet().payload().length()).orElse(0);
                if (packets.size() > MAX_PACKETS || bytes > MAX_PAYLOAD_BYTES) {
                    throw new CaptureFormatException("the capture has more than " + MAX_PACKETS + " packets or "
                            + MAX_PAYLOAD_BYTES + " bytes of " + peer + "; cut it, for example with editcap");
                }
            }
        }
        if (packets.isEmpty()) {
            throw new CaptureFormatException("no packet is from or to " + peer + "; RoCE packets come from " + seen);
        }
        Set<PortAddress> own = new LinkedHashSet<>();
        for (RecordedPacket each : packets) {
            Route route = each.packet().route();
            PortAddress other = each.ofPeer() ? route.destination() : route.source();
            if (!other.isMulticast()) {
                own.add(other);
            }
        }
        return new Recording(
                peer,
                own.stream().map(Recording::inetAddress).toList(),
                packets,
                pathMtu(packets),
                QueuePairPairs.of(packets));
    }

    /** Returns the address for users. */
    public static InetAddress inetAddress(PortAddress address) {
        try {
            return InetAddress.getByName(address.toString());
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("an address in digits is not looked up", impossible);
        }
    }

    /** Returns the address as packets have it. */
    public static PortAddress portAddress(InetAddress address) {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return bytes.capacity() == Integer.BYTES
                ? PortAddress.ofIpv4(bytes.getInt())
                : new PortAddress(bytes.getLong(), bytes.getLong());
    }

    private static Optional<RecordedPacket> read(DecodedFrame frame, PortAddress peer, Set<PortAddress> seen)
            throws CaptureFormatException {
        switch (frame.read().content()) {
            case Decoded.Frame(var whole) -> {
                Route route = whole.packet().route();
                if (seen.size() < MAX_ADDRESSES_NAMED) {
                    seen.add(route.source());
                }
                boolean isMeant = isOf(peer, route) && !(whole.ip() instanceof IpHeader.Grh);
                return isMeant && frame.again().isEmpty()
                        ? Optional.of(recorded(frame, peer, whole))
                        : Optional.empty();
            }
            case Decoded.Truncated(var cut) -> {
                if (isOf(peer, cut.route())) {
                    throw new CaptureFormatException("frame " + frame.number()
                            + " is cut, so it can't be played; capture whole packets (tcpdump -s 0)");
                }
                return Optional.empty();
            }
            case Decoded.NotRoce other -> {
                return Optional.empty();
            }
            case Decoded.Malformed bad -> {
                return Optional.empty();
            }
        }
    }

    private static boolean isOf(PortAddress peer, Route route) {
        return route.source().equals(peer) || route.destination().equals(peer);
    }

    private static RecordedPacket recorded(DecodedFrame frame, PortAddress peer, RoceFrame whole)
            throws CaptureFormatException {
        Packet packet = whole.packet();
        if (packet.opcode().transport() == TransportClass.DC) {
            throw new CaptureFormatException("frame " + frame.number() + " is of DC, which can't be played");
        }
        int damage = whole.icrcOk() ? 0 : damage(whole);
        return new RecordedPacket(
                frame.number(), frame.sinceFirst(), packet.route().source().equals(peer), packet, damage);
    }

    /** Returns which bits of the ICRC are wrong; if only the pad is damaged, one bit stands for it. */
    private static int damage(RoceFrame whole) {
        byte[] correct = FrameEncoder.encode(whole.packet());
        int icrc = ByteBuffer.wrap(correct).getInt(correct.length - Integer.BYTES);
        return whole.icrc() == icrc ? 1 : whole.icrc() ^ icrc;
    }

    /** A REQ says it; otherwise each packet that is not the last of its message is as long as it. */
    private static int pathMtu(List<RecordedPacket> packets) {
        int longest = 0;
        for (RecordedPacket each : packets) {
            Packet packet = each.packet();
            Optional<CmMessage.ConnectRequest> request = CmCodec.decode(packet)
                    .map(datagram -> datagram.message())
                    .filter(CmMessage.ConnectRequest.class::isInstance)
                    .map(CmMessage.ConnectRequest.class::cast);
            if (request.isPresent() && request.get().queuePair().pathMtu() > 0) {
                return mtuFor(SMALLEST_MTU / 2 << request.get().queuePair().pathMtu());
            }
            if (!packet.operation().ends()
                    && packet.payload().length() > 0
                    && packet.operation().family() != Operation.Family.NOTIFY) {
                return mtuFor(packet.payload().length());
            }
            longest = Math.max(longest, packet.payload().length());
        }
        return mtuFor(Math.max(USUAL_MTU, longest));
    }

    private static int mtuFor(int bytes) {
        int mtu = SMALLEST_MTU;
        while (mtu < bytes && mtu < LARGEST_MTU) {
            mtu <<= 1;
        }
        return mtu;
    }
}
