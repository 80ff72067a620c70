// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.SourceShape;
import org.apache.pekko.stream.stage.AbstractOutHandler;
import org.apache.pekko.stream.stage.AsyncCallback;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.jspecify.annotations.Nullable;

/**
 * Source of a publisher's elements that requests one element for each pull. Pekko's own bridge refills its buffer, even one of
 * a single element, before there is downstream demand: it would take an entry from a completion queue that no consumer
 * requested.
 */
final class PolledSource<T> extends GraphStage<SourceShape<T>> {
    private final Flow.Publisher<T> publisher;
    private final Outlet<T> out = Outlet.create("PolledSource.out");

    PolledSource(Flow.Publisher<T> publisher) {
        this.publisher = publisher;
    }

    @Override
    public SourceShape<T> shape() {
        return SourceShape.of(out);
    }

    @Override
    public GraphStageLogic createLogic(Attributes attributes) {
        return new Logic<>(shape(), out, publisher);
    }

    private static final Flow.Subscription FINISHED = new Flow.Subscription() {
        @Override
        public void request(long n) {}

        @Override
        public void cancel() {}
    };

    private static final class Logic<T> extends GraphStageLogic {
        private final Flow.Publisher<T> publisher;

        /** {@link #FINISHED} once the stage has ended: a later subscription is cancelled immediately. */
        private final AtomicReference<Flow.@Nullable Subscription> current = new AtomicReference<>();

        private Flow.@Nullable Subscription subscription;

        Logic(SourceShape<T> shape, Outlet<T> out, Flow.Publisher<T> publisher) {
            super(shape);
            this.publisher = publisher;
            setHandler(out, new AbstractOutHandler() {
                @Override
                public void onPull() {
                    if (subscription != null) {
                        subscription.request(1);
                    }
                }
            });
            subscribed = createAsyncCallback(mine -> {
                subscription = mine;
                if (isAvailable(out)) {
                    mine.request(1);
                }
            });
            arrived = createAsyncCallback(element -> push(out, element));
            ended = createAsyncCallback(nothing -> completeStage());
            broken = createAsyncCallback(this::failStage);
        }

        private final AsyncCallback<Flow.Subscription> subscribed;
        private final AsyncCallback<T> arrived;
        private final AsyncCallback<Boolean> ended;
        private final AsyncCallback<Throwable> broken;

        @Override
        public void postStop() {
            Flow.Subscription mine = current.getAndSet(FINISHED);
            if (mine != null) {
                mine.cancel();
            }
        }

        @Override
        public void preStart() {
            publisher.subscribe(new Flow.Subscriber<>() {
                @Override
                public void onSubscribe(Flow.Subscription mine) {
                    if (current.compareAndSet(null, mine)) {
                        subscribed.invoke(mine);
                    } else {
                        mine.cancel();
                    }
                }

                @Override
                public void onNext(T element) {
                    arrived.invoke(element);
                }

                @Override
                public void onError(Throwable reason) {
                    broken.invoke(reason);
                }

                @Override
                public void onComplete() {
                    ended.invoke(true);
                }
            });
        }
    }
}
