// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;

/** Messages of a requester, reassembled from all its packets by PSN, regardless of repetition and order. */
final class Messages {
    /** Maximum number of consecutive packets that a capture may lack; after more, reassembly stops. */
    private static final int MAX_MISSING = 1 << 12;

    /** A range of PSNs. */
    sealed interface Piece {
        int firstPsn();

        int packets();

        default int lastPsn() {
            return Psn.plus(firstPsn(), packets() - 1);
        }
    }

    /**
     * A message of which the capture has all packets.
     *
     * @param first its first packet, with the headers of the destination
     * @param last its last packet, with immediate data, if any
     * @param data payload; empty for READs and atomics
     * @param packets number of PSNs
     */
    record Message(Packet first, Packet last, byte[] data, int packets) implements Piece {
        @Override
        public int firstPsn() {
            return first.psn();
        }

        Operation.Family family() {
            return first.operation().family();
        }

        /** Returns the length of the data, in either direction. */
        long lengthBytes() {
            return switch (family()) {
                case READ -> first.reth().lengthUnsigned();
                case ATOMIC -> Long.BYTES;
                case SEND,
                        SEND_WITH_INVALIDATE,
                        WRITE,
                        READ_RESPONSE,
                        ATOMIC_ACKNOWLEDGE,
                        ACKNOWLEDGE,
                        NOTIFY,
                        SESSION -> data.length;
            };
        }
    }

    /** PSNs of messages of which the capture lacks a part. */
    record Gap(int firstPsn, int packets) implements Piece {}

    /** Packets by PSN offset from the first PSN. */
    private final TreeMap<Integer, Packet> byOffset = new TreeMap<>();

    private final int mtuBytes;

    private Messages(PacketDirection direction, int firstPsn) {
        mtuBytes = direction.mtu().bytes();
        for (CapturedPacket request : direction.requests()) {
            int offset = Psn.compare(request.psn(), firstPsn);
            if (request.isIntact() && offset >= 0) {
                byOffset.putIfAbsent(offset, request.packet());
            }
        }
    }

    /** Returns the messages in order, from that PSN up to the last one of which the capture has every packet. */
    static List<Piece> of(PacketDirection direction, int firstPsn) {
        Messages all = new Messages(direction, firstPsn);
        List<Piece> pieces = new ArrayList<>();
        int offset = 0;
        while (true) {
            Optional<Message> message = all.at(offset);
            if (message.isPresent()) {
                pieces.add(message.get());
                offset += message.get().packets();
                continue;
            }
            Optional<Integer> next = all.nextAfter(offset);
            if (next.isEmpty() || next.get() - offset > MAX_MISSING) {
                return pieces;
            }
            pieces.add(new Gap(Psn.plus(firstPsn, offset), next.get() - offset));
            offset = next.get();
        }
    }

    private Optional<Integer> nextAfter(int offset) {
        return byOffset.tailMap(offset, false).keySet().stream()
                .filter(start -> at(start).isPresent())
                .findFirst();
    }

    private Optional<Message> at(int offset) {
        Packet first = byOffset.get(offset);
        if (first == null || !first.operation().starts() || isTooLong(first)) {
            return Optional.empty();
        }
        Packet last = first;
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        data.writeBytes(first.payload().toArray());
        int packets = packetsOf(first);
        while (!last.operation().ends()) {
            last = byOffset.get(offset + packets);
            if (last == null || last.operation().starts()) {
                return Optional.empty();
            }
            data.writeBytes(last.payload().toArray());
            packets++;
        }
        return Optional.of(new Message(first, last, data.toByteArray(), packets));
    }

    /** True for a READ of more data than is stored here; no capture could contain its response. */
    static boolean isTooLong(Packet first) {
        return first.operation() == Operation.READ_REQUEST && first.reth().lengthUnsigned() > Host.MAX_BYTES;
    }

    private int packetsOf(Packet first) {
        return first.operation() == Operation.READ_REQUEST
                ? Psn.packets(first.reth().lengthUnsigned(), mtuBytes)
                : 1;
    }
}
