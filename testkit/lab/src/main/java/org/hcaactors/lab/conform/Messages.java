package org.hcaactors.lab.conform;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;

/** The messages that a requester sent, put together from all its packets by PSN, however often and in whatever order. */
final class Messages {
    /**
     * A message.
     *
     * @param first its first packet, with the headers that say where it goes
     * @param last its last packet, with its immediate, if any
     * @param data what its packets carry; nothing for READs and atomics
     * @param packets PSNs that it takes
     */
    record Message(Packet first, Packet last, byte[] data, int packets) {
        int firstPsn() {
            return first.psn();
        }

        int lastPsn() {
            return Psn.plus(first.psn(), packets - 1);
        }

        Operation.Family family() {
            return first.operation().family();
        }
    }

    private final Map<Integer, Packet> byPsn = new HashMap<>();
    private final int mtuBytes;

    private Messages(Leg leg) {
        mtuBytes = leg.mtu().bytes();
        for (Heard request : leg.requests()) {
            if (request.isIntact()) {
                byPsn.putIfAbsent(request.psn(), request.packet());
            }
        }
    }

    /** In order, from that PSN on, as far as the capture holds every packet of them and there is room for their data. */
    static List<Message> of(Leg leg, int firstPsn) {
        Messages all = new Messages(leg);
        List<Message> messages = new ArrayList<>();
        int psn = firstPsn;
        while (true) {
            Packet first = all.byPsn.get(psn);
            if (first == null || !first.operation().starts() || isTooLong(first)) {
                return messages;
            }
            Packet last = first;
            ByteArrayOutputStream data = new ByteArrayOutputStream();
            data.writeBytes(first.payload().toArray());
            int packets = all.packetsOf(first);
            while (!last.operation().ends()) {
                last = all.byPsn.get(Psn.plus(psn, packets));
                if (last == null || last.operation().starts()) {
                    return messages;
                }
                data.writeBytes(last.payload().toArray());
                packets++;
            }
            messages.add(new Message(first, last, data.toByteArray(), packets));
            psn = Psn.plus(psn, packets);
        }
    }

    /** A READ of more than is kept here; no captured answer could bring it. */
    private static boolean isTooLong(Packet first) {
        return first.operation() == Operation.READ_REQUEST && first.reth().lengthUnsigned() > Host.MOST_BYTES;
    }

    private int packetsOf(Packet first) {
        return first.operation() == Operation.READ_REQUEST
                ? Psn.packets(first.reth().lengthUnsigned(), mtuBytes)
                : 1;
    }
}
