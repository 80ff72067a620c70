// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.Flow;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * Messages of one channel, for one subscriber. They wait for its demand, at most as many as the endpoint has receive buffers. Those
 * that no subscriber gets are closed.
 */
final class MessageQueue implements Flow.Publisher<Message> {
    private final ArrayDeque<Message> waiting = new ArrayDeque<>();
    private Flow.@Nullable Subscriber<? super Message> subscriber;
    private long demand;
    private boolean delivering;
    private boolean ended;
    private boolean over;

    @Override
    public void subscribe(Flow.Subscriber<? super Message> requested) {
        Objects.requireNonNull(requested, "subscriber");
        boolean first;
        synchronized (this) {
            first = subscriber == null;
            if (first) {
                subscriber = requested;
            }
        }
        if (first) {
            requested.onSubscribe(new Subscription());
            deliver();
        } else {
            requested.onSubscribe(new Refused());
            requested.onError(new VerbsException(Errno.EBUSY, "the messages of a channel have one subscriber"));
        }
    }

    /** Adds a message; closes it if no subscriber will get it. */
    void add(Message message) {
        synchronized (this) {
            if (!over && !ended) {
                waiting.add(message);
            } else {
                message.close();
            }
        }
        deliver();
    }

    /** No more messages arrive. Those that wait are delivered first. */
    void end() {
        synchronized (this) {
            ended = true;
            if (subscriber == null) {
                closeAll();
            }
        }
        deliver();
    }

    private void closeAll() {
        over = true;
        waiting.forEach(Message::close);
        waiting.clear();
    }

    /** Delivers on the calling thread, unless another call does so. */
    private void deliver() {
        synchronized (this) {
            if (delivering || subscriber == null) {
                return;
            }
            delivering = true;
        }
        while (deliverOne()) {}
    }

    private boolean deliverOne() {
        Message next = null;
        Flow.Subscriber<? super Message> to;
        synchronized (this) {
            to = Objects.requireNonNull(subscriber);
            boolean completes = !over && ended && waiting.isEmpty();
            if (!over && demand > 0 && !waiting.isEmpty()) {
                demand--;
                next = waiting.remove();
            } else if (completes) {
                over = true;
            } else {
                delivering = false;
                return false;
            }
        }
        if (next == null) {
            to.onComplete();
        } else {
            hand(next, to);
        }
        return true;
    }

    private void hand(Message message, Flow.Subscriber<? super Message> to) {
        try {
            to.onNext(message);
        } catch (RuntimeException | Error thrown) {
            message.close();
            synchronized (this) {
                closeAll();
            }
            throw thrown;
        }
    }

    private final class Subscription implements Flow.Subscription {
        @Override
        public void request(long count) {
            if (count <= 0) {
                cancel();
                Objects.requireNonNull(subscriber)
                        .onError(new IllegalArgumentException("request(" + count
                                + ") is not allowed; only a positive number is (Reactive Streams 3.9)"));
                return;
            }
            synchronized (MessageQueue.this) {
                demand = demand + count < 0 ? Long.MAX_VALUE : demand + count;
            }
            deliver();
        }

        @Override
        public void cancel() {
            synchronized (MessageQueue.this) {
                closeAll();
            }
        }
    }

    private static final class Refused implements Flow.Subscription {
        @Override
        public void request(long count) {}

        @Override
        public void cancel() {}
    }
}
