// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.Flow;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * Messages of one channel, for one subscriber. They wait for it and for its demand, at most as many as the endpoint has receive
 * buffers. Those that it does not want are closed.
 */
final class MessageQueue implements Flow.Publisher<Message> {
    private static final System.Logger LOG = System.getLogger(MessageQueue.class.getName());

    private final Runnable onCancelled;
    private final ArrayDeque<Message> waiting = new ArrayDeque<>();
    private Flow.@Nullable Subscriber<? super Message> subscriber;
    private long demand;
    private boolean delivering;

    /** No more messages arrive. */
    private boolean ended;

    /** The subscriber gets nothing any more. */
    private boolean over;

    private @Nullable Throwable failure;

    /** @param onCancelled called when the subscriber has cancelled, or has thrown an exception */
    MessageQueue(Runnable onCancelled) {
        this.onCancelled = onCancelled;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super Message> requested) {
        Objects.requireNonNull(requested, "subscriber");
        boolean first;
        synchronized (this) {
            first = subscriber == null;
            if (first) {
                subscriber = requested;
                delivering = true;
            }
        }
        if (first) {
            requested.onSubscribe(new Subscription());
            deliverAll();
        } else {
            requested.onSubscribe(new Refused());
            requested.onError(new VerbsException(Errno.EBUSY, "the messages of a channel have one subscriber"));
        }
    }

    /** Adds a message; closes it if no subscriber will get it. */
    void add(Message message) {
        boolean wanted;
        synchronized (this) {
            wanted = !over && !ended;
            if (wanted) {
                waiting.add(message);
            }
        }
        if (wanted) {
            deliver();
        } else {
            message.close();
        }
    }

    /** No more messages arrive. Those that wait are delivered first. */
    void end() {
        synchronized (this) {
            ended = true;
        }
        deliver();
    }

    /** No more messages arrive, and those that wait are closed. */
    void discard() {
        synchronized (this) {
            ended = true;
        }
        closeAll();
        deliver();
    }

    /** Delivers on the calling thread, unless another call does so. */
    private void deliver() {
        synchronized (this) {
            if (delivering || subscriber == null) {
                return;
            }
            delivering = true;
        }
        deliverAll();
    }

    private void deliverAll() {
        while (deliverOne()) {}
    }

    private boolean deliverOne() {
        Message next = null;
        Flow.Subscriber<? super Message> to;
        synchronized (this) {
            to = Objects.requireNonNull(subscriber);
            boolean completes = !over && (failure != null || ended && waiting.isEmpty());
            if (!over && failure == null && demand > 0 && !waiting.isEmpty()) {
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
            complete(to);
        } else {
            hand(next, to);
        }
        return true;
    }

    private void complete(Flow.Subscriber<? super Message> to) {
        closeAll();
        try {
            if (failure == null) {
                to.onComplete();
            } else {
                to.onError(failure);
            }
        } catch (RuntimeException | Error thrown) {
            LOG.log(System.Logger.Level.WARNING, "a channel's subscriber threw at the end of the messages", thrown);
        }
    }

    /** The subscriber of one channel must not disturb those of others, to which the same thread delivers. */
    private void hand(Message message, Flow.Subscriber<? super Message> to) {
        try {
            to.onNext(message);
        } catch (RuntimeException | Error thrown) {
            LOG.log(System.Logger.Level.WARNING, "a channel's subscriber threw, and the channel is closed", thrown);
            message.close();
            cancelled();
        }
    }

    private void cancelled() {
        synchronized (this) {
            over = true;
        }
        closeAll();
        onCancelled.run();
    }

    private void closeAll() {
        ArrayDeque<Message> unwanted;
        synchronized (this) {
            unwanted = new ArrayDeque<>(waiting);
            waiting.clear();
        }
        unwanted.forEach(Message::close);
    }

    private final class Subscription implements Flow.Subscription {
        @Override
        public void request(long count) {
            synchronized (MessageQueue.this) {
                if (count <= 0) {
                    failure = new IllegalArgumentException(
                            "request(" + count + ") is not allowed; only a positive number is (Reactive Streams 3.9)");
                } else {
                    demand = demand + count < 0 ? Long.MAX_VALUE : demand + count;
                }
            }
            deliver();
        }

        @Override
        public void cancel() {
            boolean first;
            synchronized (MessageQueue.this) {
                first = !over;
            }
            if (first) {
                cancelled();
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
