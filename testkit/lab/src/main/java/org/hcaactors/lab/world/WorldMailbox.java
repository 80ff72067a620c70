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
    private final CurrentWorld world;

    public WorldMailbox(ActorSystem.Settings settings, Config config) {
        world = settings.setup().get(CurrentWorld.class).orElseThrow();
    }

    @Override
    public MessageQueue create(Option<ActorRef> owner, Option<ActorSystem> system) {
        return new InterceptedQueue(
                new UnboundedMailbox.MessageQueue(),
                world.core().post(),
                new MessageInterceptor.Address(owner.get().path()));
    }

    private record InterceptedQueue(
            MessageQueue box, MessageInterceptor interceptor, MessageInterceptor.Address address)
            implements MessageQueue, UnboundedMessageQueueSemantics {
        @Override
        public void enqueue(ActorRef receiver, Envelope envelope) {
            if (interceptor.takes(receiver, address, envelope)) {
                box.enqueue(receiver, envelope);
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
