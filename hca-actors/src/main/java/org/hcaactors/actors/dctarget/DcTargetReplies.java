// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.dctarget;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.actors.queue.QueuePairInput;
import org.hcaactors.fabric.actor.FabricReference;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.fabric.packet.Packet;

/**
 * Packets that a target sends itself, without a responder. Packets without credit are lost, as on a wire, and the peer sends
 * its request again.
 */
final class DcTargetReplies {
    private final Endpoint endpoint;
    private final FabricReference fabric;
    private final List<Packet> answers = new ArrayList<>();
    private final List<Long> packetCauses = new ArrayList<>();
    private int credits = Endpoint.INITIAL_CREDITS;

    DcTargetReplies(Endpoint endpoint, FabricReference fabric) {
        this.endpoint = endpoint;
        this.fabric = fabric;
    }

    int credits() {
        return credits;
    }

    void credit(int packets) {
        credits = Math.min(Endpoint.INITIAL_CREDITS, credits + packets);
    }

    /** @param cause event that the packet answers */
    void add(Packet answer, long cause) {
        answers.add(answer);
        packetCauses.add(cause);
    }

    void send() {
        int max = Math.min(credits, answers.size());
        if (max > 0) {
            Packet[] batch = answers.subList(0, max).toArray(Packet[]::new);
            long[] causes =
                    packetCauses.stream().limit(max).mapToLong(Long::longValue).toArray();
            credits -= fabric.send(endpoint, batch, causes, QueuePairInput.UNTRACED);
        }
        clear();
    }

    void clear() {
        answers.clear();
        packetCauses.clear();
    }
}
