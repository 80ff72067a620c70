// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;

/** Messages between the uplinks of two nodes (rules cluster-hello, cluster-window). {@code from} is the uid of the sender's node. */
sealed interface NodeMessage extends UplinkActor.Command {
    long from();

    /**
     * Asks to be taken for a peer; repeated until there is an answer.
     *
     * @param oldest oldest version of these messages that the sender understands
     * @param newest newest one
     */
    record Hello(long from, int oldest, int newest, ActorRef<UplinkActor.Command> replyTo) implements NodeMessage {}

    /**
     * Answers a hello: packets may come.
     *
     * @param window packets that may be under way, at least 1
     */
    record Welcome(long from, int window) implements NodeMessage {}

    /** Refuses a hello. */
    record Refusal(long from, String reason) implements NodeMessage {}

    /**
     * Carries packets.
     *
     * @param first number of the first packet
     * @param packets at the receiver, those that could not be read are missing
     * @param count of packets that were sent
     */
    record Train(long from, long first, List<Carried> packets, int count) implements NodeMessage {
        Train(long from, long first, List<Carried> packets) {
            this(from, first, packets, packets.size());
        }
    }

    /** @param consumed number up to which packets were consumed or lost */
    record Grant(long from, long consumed) implements NodeMessage {}

    /** Asks for a grant. @param next number of the next packet */
    record Probe(long from, long next) implements NodeMessage {}
}
