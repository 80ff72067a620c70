// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.dctarget;

import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.actors.queue.ReceiveBuffer;
import org.hcaactors.adapter.completion.CqUser;
import org.hcaactors.adapter.number.ResponderPool;
import org.hcaactors.adapter.srq.SrqUser;
import org.hcaactors.fabric.link.Receiver;
import org.hcaactors.fabric.packet.Packet;

/** Reference to a DC target, for the fabric and the queues that it uses. */
record DcTargetReference(ActorRef<DcTargetActor.Command> actor)
        implements Receiver, ReceiveBuffer.Owner, CqUser, SrqUser, ResponderPool.Holder {
    @Override
    public void deliver(Packet[] batch, long[] traceIds) {
        actor.tell(new DcTargetActor.Arrived(batch, traceIds, null));
    }

    @Override
    public void arrive(Packet[] batch, long[] traceIds, ReceiveBuffer from) {
        actor.tell(new DcTargetActor.Arrived(batch, traceIds, from));
    }

    @Override
    public void corrupted() {
        actor.tell(DcTargetActor.Note.CORRUPTED);
    }

    @Override
    public void credit(int packets) {
        actor.tell(new DcTargetActor.Credit(packets));
    }

    @Override
    public void requested() {
        actor.tell(DcTargetActor.Note.RESPONDER_NEEDED);
    }

    @Override
    public void completionQueueFailed() {
        actor.tell(DcTargetActor.Note.CQ_FAILED);
    }

    @Override
    public void sharedReceivesFailed(int queue) {
        actor.tell(DcTargetActor.Note.SHARED_RECEIVES_FAILED);
    }

    @Override
    public void srqDestroying(int queue) {}
}
