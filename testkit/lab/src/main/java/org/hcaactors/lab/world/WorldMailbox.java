// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import com.typesafe.config.Config;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.dispatch.Envelope;
import org.apache.pekko.dispatch.MailboxType;
import org.apache.pekko.dispatch.MessageQueue;
import org.apache.pekko.dispatch.ProducesMessageQueue;
import org.apache.pekko.dispatch.UnboundedMailbox;
import org.apache.pekko.dispatch.UnboundedMessageQueueSemantics;
import scala.Option;

/**
 * Mailbox of every typed actor in a world: Pekko's unbounded mailbox behind the world's {@link MessageInterceptor}. Pekko
 * instantiates it by its class name.
 */
public final class WorldMailbox implements MailboxType, ProducesMessageQueue<MessageQueue> {
    private final MessageInterceptor office;

    public WorldMailbox(ActorSystem.Settings settings, Config config) {
        office = settings.setup().get(WorldSetup.class).orElseThrow().core().post();
    }

    @Override
    public MessageQueue create(Option<ActorRef> owner, Option<ActorSystem> system) {
        return new Sorted(
                new UnboundedMailbox.MessageQueue(),
                office,
                new MessageInterceptor.Address(owner.get().path()));
    }

    private record Sorted(MessageQueue box, MessageInterceptor office, MessageInterceptor.Address address)
            implements MessageQueue, UnboundedMessageQueueSemantics {
        @Override
        public void enqueue(ActorRef receiver, Envelope letter) {
            if (office.takes(receiver, address, letter)) {
                box.enqueue(receiver, letter);
            }
        }

        @Override
        public Envelope dequeue() {
            return box.dequeue();
        }

        @Override
        public int numberOfMessages() {
            return box.numberOfMessages();
        }

        @Override
        public boolean hasMessages() {
            return box.hasMessages();
        }

        @Override
        public void cleanUp(ActorRef owner, MessageQueue deadLetters) {
            box.cleanUp(owner, deadLetters);
        }
    }
}
