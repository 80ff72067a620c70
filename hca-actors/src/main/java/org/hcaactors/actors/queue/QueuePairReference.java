// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.actors.key.LeaseHolder;
import org.hcaactors.adapter.completion.CqUser;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.key.ChangeListener;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.lease.Pager;
import org.hcaactors.adapter.srq.SrqUser;
import org.hcaactors.fabric.link.Receiver;
import org.hcaactors.fabric.packet.Packet;

/** Reference to a queue pair, for the fabric, the completion queues, the shared receive queue and the translators. */
record QueuePairReference(ActorRef<QueuePairInput> actor)
        implements Receiver, ReceiveBuffer.Owner, CqUser, LeaseHolder, SrqUser {
    @Override
    public void deliver(Packet[] batch, long[] traceIds) {
        actor.tell(new QueuePairInput.Arrived(batch, traceIds, null));
    }

    @Override
    public void arrive(Packet[] batch, long[] traceIds, ReceiveBuffer from) {
        actor.tell(new QueuePairInput.Arrived(batch, traceIds, from));
    }

    @Override
    public void corrupted() {
        actor.tell(QueuePairInput.Note.CORRUPTED);
    }

    @Override
    public void credit(int packets) {
        actor.tell(new QueuePairInput.Credit(packets));
    }

    @Override
    public void completionQueueFailed() {
        actor.tell(QueuePairInput.Note.CQ_FAILED);
    }

    @Override
    public void sharedReceivesFailed(int queue) {
        actor.tell(new QueuePairInput.SharedFailed(queue));
    }

    @Override
    public void srqDestroying(int queue) {
        actor.tell(new QueuePairInput.SrqDestroying(queue));
    }

    /** Returns the listener for a key change of a request. */
    ChangeListener ofRequest(long ticket) {
        return refusal -> actor.tell(new QueuePairInput.KeyChanged(ticket, refusal));
    }

    /** Returns the listener for a key change of a peer's message. */
    ChangeListener ofPeer(long ticket) {
        return refusal -> actor.tell(new QueuePairInput.Invalidated(ticket, refusal));
    }

    /** Returns the listener for absent pages. */
    Pager.Listener ofPages(PageFault.Kind kind, long ticket) {
        return (event, refusal) -> actor.tell(new QueuePairInput.PagesServed(kind, ticket, event, refusal));
    }

    @Override
    public void granted(Lease lease) {
        actor.tell(new QueuePairInput.Granted(lease));
    }

    @Override
    public void refused(int key, Denial reason) {
        actor.tell(new QueuePairInput.Refused(key, reason));
    }

    @Override
    public void revoke(long grant) {
        actor.tell(new QueuePairInput.Revoke(grant));
    }
}
