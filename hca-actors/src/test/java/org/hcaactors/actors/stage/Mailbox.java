// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.stage;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.pekko.actor.ActorPath;
import org.apache.pekko.actor.typed.ActorRef;

/** An actor that only stores its messages. */
public final class Mailbox<C> implements ActorRef<C> {
    private final Queue<C> letters = new ConcurrentLinkedQueue<>();

    public Queue<C> letters() {
        return letters;
    }

    @Override
    public void tell(C letter) {
        letters.add(letter);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <U extends C> ActorRef<U> narrow() {
        return (ActorRef<U>) this;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <U> ActorRef<U> unsafeUpcast() {
        return (ActorRef<U>) this;
    }

    @Override
    public ActorPath path() {
        throw new UnsupportedOperationException("it has no path");
    }

    @Override
    public int compareTo(ActorRef<?> other) {
        return Integer.compare(hashCode(), other.hashCode());
    }
}
