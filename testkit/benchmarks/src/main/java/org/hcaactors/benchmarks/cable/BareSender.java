// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.cable;

import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Sends bare messages to a {@link BareReceiver} of another node, in the same batches as an {@link RdmaClient}. One thread. */
final class BareSender {
    private final ActorRef<BareMessage> receiver;
    private volatile Batches running = new Batches(0, () -> {});

    /** @param receiver reference in text */
    BareSender(ActorSystem<?> system, String receiver) {
        this.receiver = ActorRefResolver.get(system).resolveActorRef(receiver);
        ActorRef<BareMessage> answers = system.systemActorOf(
                Behaviors.receive(BareMessage.class)
                        .onMessage(BareMessage.Done.class, done -> {
                            running.ended();
                            return Behaviors.same();
                        })
                        .build(),
                "answers",
                Props.empty());
        this.receiver.tell(new BareMessage.Hello(answers));
    }

    /**
     * Sends groups.
     *
     * @param outstanding groups in progress
     * @param messages of a group
     * @param bytes of each message
     */
    void send(long groups, int outstanding, int messages, int bytes) throws InterruptedException {
        BareMessage.Bytes plain = new BareMessage.Bytes(new byte[bytes], false);
        BareMessage.Bytes last = new BareMessage.Bytes(new byte[bytes], true);
        running = new Batches(outstanding, () -> {
            for (int i = 1; i < messages; i++) {
                receiver.tell(plain);
            }
            receiver.tell(last);
        });
        running.run(groups);
    }
}
