package org.hcaactors.adapter.queue;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.adapter.memory.AddressSpace;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.device.Gid;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpSnapshot;

/** Where a handle knocks: its actor, its caller's executor, and its process's memory. */
record QueuePairDoor(ActorRef<QueuePairActor.Command> actor, Executor callers, AddressSpace space) {
    <T> Reply<T> reply() {
        return new Reply<>(callers);
    }

    void ringSend() {
        actor.tell(QueuePairActor.Bell.SEND);
    }

    void ringReceive() {
        actor.tell(QueuePairActor.Bell.RECEIVE);
    }

    CompletionStage<Void> modify(QpModify change) {
        Reply<Void> reply = reply();
        actor.tell(new QueuePairActor.Modify(change, reply));
        return reply.stage();
    }

    CompletionStage<QpSnapshot> query() {
        Reply<QpSnapshot> reply = reply();
        actor.tell(new QueuePairActor.Query(reply));
        return reply.stage();
    }

    CompletionStage<Void> join(Gid group) {
        return member(group, true);
    }

    CompletionStage<Void> leave(Gid group) {
        return member(group, false);
    }

    private CompletionStage<Void> member(Gid group, boolean joins) {
        Reply<Void> reply = reply();
        if (group.isMulticast()) {
            actor.tell(new QueuePairActor.Member(LocalPort.addressOf(group), joins, reply));
        } else {
            reply.fail(VerbsException.invalid(group + " is no multicast address"));
        }
        return reply.stage();
    }

    CompletionStage<Void> destroy() {
        Reply<Void> reply = reply();
        actor.tell(new QueuePairActor.Destroy(reply));
        return reply.stage();
    }

    /** The process's own load, as the library's inline copy does; EINVAL where nothing is mapped. */
    void readMemory(long address, byte[] target, int offset, int count) {
        space.at(address, count).load(address, target, offset, count);
    }
}
