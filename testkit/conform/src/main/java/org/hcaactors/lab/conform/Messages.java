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

/** The messages that a requester sent, put together from all its packets by PSN, however often and in whatever order. */
final class Messages {
    /** Packets in a row at most that a capture may lack before what follows is no longer told apart. */
    private static final int MAX_MISSING = 1 << 12;

    /** A stretch of PSNs. */
    sealed interface Piece {
        int firstPsn();

        int packets();

        default int lastPsn() {
            return Psn.plus(firstPsn(), packets() - 1);
        }
    }

    /**
     * A message that the capture holds as a whole.
     *
     * @param first its first packet, with the headers that say where it goes
     * @param last its last packet, with its immediate, if any
     * @param data what its packets carry; nothing for READs and atomics
     * @param packets PSNs that it takes
     */
    record Message(Packet first, Packet last, byte[] data, int packets) implements Piece {
        @Override
        public int firstPsn() {
            return first.psn();
        }

        Operation.Family family() {
            return first.operation().family();
        }

        /** Of what it moves, in either direction. */
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

    /** By distance from the first PSN. */
    private final TreeMap<Integer, Packet> byOffset = new TreeMap<>();

    private final int mtuBytes;

    private Messages(PacketDirection leg, int firstPsn) {
        mtuBytes = leg.mtu().bytes();
        for (CapturedPacket request : leg.requests()) {
            int offset = Psn.compare(request.psn(), firstPsn);
            if (request.isIntact() && offset >= 0) {
                byOffset.putIfAbsent(offset, request.packet());
            }
        }
    }

    /** In order, from that PSN on, up to the last message of which the capture holds every packet. */
    static List<Piece> of(PacketDirection leg, int firstPsn) {
        Messages all = new Messages(leg, firstPsn);
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

    /** A READ of more than is kept here; no captured answer could bring it. */
    static boolean isTooLong(Packet first) {
        return first.operation() == Operation.READ_REQUEST && first.reth().lengthUnsigned() > Host.MAX_BYTES;
    }

    private int packetsOf(Packet first) {
        return first.operation() == Operation.READ_REQUEST
                ? Psn.packets(first.reth().lengthUnsigned(), mtuBytes)
                : 1;
    }
}
