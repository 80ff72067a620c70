// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import org.hcaactors.api.capability.PlatformCapabilities;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Waiter;
import org.hcaactors.api.completion.WakeCause;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RdmaWrite;

/** Wake-ups of a thread. Only one is kept for it, so the next is triggered after the previous one was delivered. */
public class WaiterTckTest extends StreamTck<WakeCause> {
    private static final Profile PROFILE =
            Profile.CONNECTX_5.with(PlatformCapabilities.NONE.with(PlatformCapabilities.Feature.AS_NOTIFY));

    private final AtomicInteger adapters = new AtomicInteger();

    @Override
    public long maxElementsFromPublisher() {
        return MAX;
    }

    @Override
    public Flow.Publisher<WakeCause> createFlowPublisher(long elements) {
        Alarm alarm = new Alarm();
        return new Fed(new Finite<>(alarm.waiter.wakeups(), elements, alarm.waiter::end), elements, alarm);
    }

    /** The thread waits already. */
    @Override
    public Flow.Publisher<WakeCause> createFailedFlowPublisher() {
        Waiter waiter = new Alarm().waiter;
        waiter.wakeups().subscribe(Subscribers.forEach(cause -> {}));
        return waiter.wakeups();
    }

    /** A thread, and a queue pair whose completions wake it. */
    private final class Alarm {
        final Waiter waiter;
        private final CompletionQueue cq;
        private final QpPair<RcQueuePair> pair;

        Alarm() {
            HostProcess process = network()
                    .addAdapter("waking" + adapters.incrementAndGet(), PROFILE)
                    .process("app");
            waiter = network().await(process.startWaiter());
            DeviceContext context = process.open();
            cq = network().await(context.createCq(CqDescription.of(1000).withWaiter(waiter)));
            ProtectionDomain domain = context.allocatePd();
            pair = network()
                    .await(QpPair.connectRc(domain, QpDescription.rc().withSendCq(cq), domain, QpDescription.rc()));
        }

        void ring() {
            cq.arm(CompletionQueue.Arm.ANY);
            pair.local()
                    .post(RdmaWrite.of(1, List.of(), new RemoteAddress(0, 0)).withSignaled());
        }
    }

    /** Triggers the first element, and after each one the next. */
    private record Fed(Flow.Publisher<WakeCause> source, long elements, Alarm alarm)
            implements Flow.Publisher<WakeCause> {
        @Override
        public void subscribe(Flow.Subscriber<? super WakeCause> subscriber) {
            if (subscriber == null) {
                source.subscribe(subscriber);
                return;
            }
            source.subscribe(new Flow.Subscriber<>() {
                private long rung;

                private void ringOnce() {
                    if (rung++ < elements) {
                        alarm.ring();
                    }
                }

                @Override
                public void onSubscribe(Flow.Subscription subscription) {
                    ringOnce();
                    subscriber.onSubscribe(subscription);
                }

                @Override
                public void onNext(WakeCause cause) {
                    ringOnce();
                    subscriber.onNext(cause);
                }

                @Override
                public void onError(Throwable error) {
                    subscriber.onError(error);
                }

                @Override
                public void onComplete() {
                    subscriber.onComplete();
                }
            });
        }
    }
}
