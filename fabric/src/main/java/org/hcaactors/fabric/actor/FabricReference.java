// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.actor;

import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.fabric.link.Epoch;
import org.hcaactors.fabric.link.Switchboard;
import org.hcaactors.fabric.packet.Packet;

/**
 * Reference to the fabric for its users, on any thread. Packets sent after a change was requested here, by this thread or by
 * others that it triggers, are carried after the change: a new tap sees them, and a link that was taken down loses them.
 *
 * @param epoch the actor's
 */
public record FabricReference(ActorRef<FabricActor.Command> actor, Epoch epoch) {
    /** Sends a command; a change is announced first. */
    public void tell(FabricActor.Command command) {
        switch (command) {
            case FabricActor.Change change -> {
                epoch.announce();
                actor.tell(new FabricActor.Announced(change));
            }
            case FabricActor.Transmit transmit -> {
                transmit.from().batchQueued();
                actor.tell(transmit);
            }
            case FabricActor.Announced announced -> actor.tell(announced);
            case FabricActor.Join join -> actor.tell(join);
            case FabricActor.Leave leave -> actor.tell(leave);
            case FabricActor.RemoveTap removal -> actor.tell(removal);
            case FabricActor.EnterDamaged damaged -> actor.tell(damaged);
            case FabricActor.NotSent lost -> actor.tell(lost);
            case FabricActor.Due due -> actor.tell(due);
        }
    }

    /**
     * Sends packets that are not traced, on the direct path if it is open: then the receiver has them when this returns. Must
     * be called on the sender's thread.
     *
     * @param batch at least 1 and at most {@link Switchboard#MAX_BATCH} packets
     * @return the credits used: on a direct path to a queue pair 0, otherwise one for each packet, which the fabric or its border
     *     returns
     */
    public int send(Endpoint from, Packet[] batch) {
        int used = from.sendDirect(batch);
        return used != Endpoint.NOT_SENT
                ? used
                : send(from, Packet.settledAndSplit(batch), Switchboard.UNTRACED, Switchboard.UNTRACED);
    }

    /**
     * Sends packets to the fabric's actor. Must be called on the sender's thread.
     *
     * @param batch at least 1 and at most {@link Switchboard#MAX_BATCH} packets
     * @param causes the event that caused each packet, or empty if nothing is traced
     * @param otherCauses a second cause each, 0 for none; for a retransmitted packet, the reason for the retransmission
     * @return the credits used: one for each packet, which the fabric returns
     */
    public int send(Endpoint from, Packet[] batch, long[] causes, long[] otherCauses) {
        tell(new FabricActor.Transmit(from, batch, causes, otherCauses));
        return batch.length;
    }
}
