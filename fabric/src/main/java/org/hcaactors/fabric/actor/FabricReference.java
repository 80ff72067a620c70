// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.actor;

import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.fabric.link.Epoch;
import org.hcaactors.fabric.link.Switchboard;
import org.hcaactors.fabric.packet.Packet;

/**
 * The fabric as those know it who use it, on any thread. Whoever tells it of a change and sends packets thereafter, or has
 * others send them, has them sent behind the change: a tap sees them, and a cable that was pulled loses them.
 *
 * @param epoch the actor's
 */
public record FabricReference(ActorRef<FabricActor.Command> actor, Epoch epoch) {
    /** Makes a change, or asks for one. */
    public void tell(FabricActor.Command command) {
        switch (command) {
            case FabricActor.Change change -> {
                epoch.announce();
                actor.tell(new FabricActor.Announced(change));
            }
            case FabricActor.Transmit transmit -> {
                transmit.from().give();
                actor.tell(transmit);
            }
            case FabricActor.Announced announced -> actor.tell(announced);
            case FabricActor.Join join -> actor.tell(join);
            case FabricActor.Leave leave -> actor.tell(leave);
            case FabricActor.RemoveTap gone -> actor.tell(gone);
            case FabricActor.Due due -> actor.tell(due);
        }
    }

    /**
     * Hands packets over of which nothing is recorded, by the direct way where it is open: then they are in their receiver's
     * hands at once. Belongs to the sender's thread.
     *
     * @param batch at most {@link Switchboard#MAX_TRAIN} and never none
     * @return the credits that this takes: none on the direct way, and otherwise one for each packet, which the fabric gives
     *     back
     */
    public int send(Endpoint from, Packet[] batch) {
        return from.reaches(batch) ? 0 : send(from, batch, Switchboard.UNTRACED, Switchboard.UNTRACED);
    }

    /**
     * Hands packets to the fabric's actor. Belongs to the sender's thread.
     *
     * @param batch at most {@link Switchboard#MAX_TRAIN} and never none
     * @param causes the event behind each packet, or empty where nothing is traced
     * @param otherCauses a second one each, 0 for none; for a packet that is sent again, why
     * @return the credits that this takes: one for each packet, which the fabric gives back
     */
    public int send(Endpoint from, Packet[] batch, long[] causes, long[] otherCauses) {
        tell(new FabricActor.Transmit(from, batch, causes, otherCauses));
        return batch.length;
    }
}
