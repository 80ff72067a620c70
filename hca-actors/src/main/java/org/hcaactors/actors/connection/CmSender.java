// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.connection;

import java.util.ArrayDeque;
import org.hcaactors.actors.service.Services;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.fabric.link.Switchboard;
import org.hcaactors.fabric.packet.Packet;

/** Packets that leave by queue pair 1, as far as credits allow. */
final class CmSender {
    /** Maximum number of packets that wait for credits; further ones are lost, and repeated like others. */
    private static final int MAX_WAITING = 65_536;

    private record Waiting(Packet packet, long cause) {}

    private final Endpoint endpoint;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private int credits = Endpoint.INITIAL_CREDITS;

    CmSender(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** @param cause event that it follows from; 0 for none */
    void add(Packet packet, long cause) {
        if (waiting.size() < MAX_WAITING) {
            waiting.add(new Waiting(packet, cause));
        }
    }

    void credit(int packets) {
        credits = Math.min(Endpoint.INITIAL_CREDITS, credits + packets);
    }

    void clear() {
        waiting.clear();
    }

    void transmit(Services by) {
        while (credits > 0 && !waiting.isEmpty()) {
            int count = Math.min(Math.min(credits, waiting.size()), Switchboard.MAX_BATCH);
            Packet[] batch = new Packet[count];
            long[] causes = new long[count];
            for (int i = 0; i < count; i++) {
                Waiting next = waiting.remove();
                batch[i] = next.packet;
                causes[i] = next.cause;
            }
            credits -= by.trace().enabled()
                    ? by.fabric().send(endpoint, batch, causes, Switchboard.UNTRACED)
                    : by.fabric().send(endpoint, batch);
        }
    }
}
