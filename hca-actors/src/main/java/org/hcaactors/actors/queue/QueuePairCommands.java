// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.adapter.flow.EventSink;
import org.hcaactors.adapter.host.AddressSpace;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.tag.FetchOrder;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpSnapshot;

/** Commands of a queue pair's handle to its actor, and access to the memory of its process. */
record QueuePairCommands(CommandSender<QueuePairActor.Command> commandSender, AddressSpace space) {
    /** Returns a bell that makes the queue pair take over requests; refers to its actor only. */
    Runnable sendBell() {
        ActorRef<QueuePairActor.Command> actor = commandSender.actor();
        return () -> actor.tell(QueuePairActor.Bell.SEND);
    }

    /** Returns a bell that makes it take over receives. */
    Runnable receiveBell() {
        ActorRef<QueuePairActor.Command> actor = commandSender.actor();
        return () -> actor.tell(QueuePairActor.Bell.RECEIVE);
    }

    /** Returns a reply for a completion. */
    <T> Reply<T> reply() {
        return new Reply<>(commandSender.callers());
    }

    // rule rendezvous-dc
    void fetch(FetchOrder order, long cause) {
        commandSender.actor().tell(new QueuePairInput.Fetch(order, cause));
    }

    CompletionStage<Void> modify(QpModify change) {
        return commandSender.ask(reply -> new QueuePairActor.Modify(change, reply));
    }

    CompletionStage<Void> resetStream(int stream) {
        return commandSender.ask(reply -> new QueuePairActor.ResetStream(stream, reply));
    }

    CompletionStage<QpSnapshot> query() {
        return commandSender.ask(QueuePairActor.Query::new);
    }

    CompletionStage<Void> join(Gid group) {
        return member(group, true);
    }

    CompletionStage<Void> leave(Gid group) {
        return member(group, false);
    }

    private CompletionStage<Void> member(Gid group, boolean joins) {
        return group.isMulticast()
                ? commandSender.ask(reply -> new QueuePairActor.Member(LocalPort.addressOf(group), joins, reply))
                : CompletableFuture.failedStage(VerbsException.invalid(group + " is not a multicast address"));
    }

    CompletionStage<Void> destroy() {
        return commandSender.close(reply -> new QueuePairActor.Destroy(false, reply));
    }

    CompletionStage<Void> flushAndDestroy() {
        return commandSender.close(reply -> new QueuePairActor.Destroy(true, reply));
    }

    /** Returns a stage that completes when the events of a context that shared the queue pair are acknowledged. */
    CompletionStage<Void> settled(EventSink events, int number) {
        Reply<Void> reply = reply();
        events.settle(AsyncEvent.Source.QUEUE_PAIR, number, reply);
        return reply.stage();
    }

    /** Reads the memory of the process, as the library does for inline data; EINVAL if nothing is mapped. */
    void readMemory(long address, byte[] target, int offset, int count) {
        if (!space.bytes().read(address, target, offset, count)) {
            throw AddressSpace.unmapped(address, count);
        }
    }
}
