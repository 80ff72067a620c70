// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Psn;

/** Faults of a packet train, at random by seed. */
final class BatchFaults {
    private final Random random;
    private final PortAddress foreign;

    /** @param foreign a port that is not the sender's */
    BatchFaults(Random random, PortAddress foreign) {
        this.random = random;
        this.foreign = foreign;
    }

    void spoil(List<Packet> batch) {
        if (batch.isEmpty()) {
            return;
        }
        int at = random.nextInt(batch.size());
        Packet packet = batch.get(at);
        int other = random.nextInt(batch.size());
        switch (random.nextInt(9)) {
            case 0 -> batch.remove(at);
            case 1 -> batch.add(at, packet);
            case 2 -> batch.add(packet);
            case 3 -> Collections.swap(batch, at, other);
            case 4 -> batch.set(at, with(packet, packet.psn(), 0x7F01));
            case 5 ->
                batch.set(
                        at,
                        with(
                                packet,
                                Psn.plus(packet.psn(), random.nextInt(5) - 2),
                                packet.bth().pkey()));
            case 6 -> {
                int length = packet.payload().length();
                batch.set(at, packet.withPayload(packet.payload().slice(0, length - Math.min(length, 4))));
            }
            case 7 -> {
                List<Packet> copy = List.copyOf(batch.subList(Math.min(at, other), Math.max(at, other)));
                batch.addAll(copy);
            }
            default -> batch.set(at, packet.withRoute(packet.route().withSource(foreign)));
        }
    }

    private static Packet with(Packet packet, int psn, int pkey) {
        return packet.withBth(Bth.of(
                packet.opcode(),
                packet.bth().solicited(),
                packet.bth().migReq(),
                packet.payload().length(),
                pkey,
                packet.bth().destQp(),
                packet.bth().ackReq(),
                psn));
    }
}
