package org.hcaactors.network;

import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import org.hcaactors.api.completion.CompletionQueue;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;

/** Wake-ups of a completion channel. */
public class WakeupsTckTest extends FlowPublisherVerification<CompletionQueue> {
    private static final int MOST = 100;
    private final AtomicInteger adapters = new AtomicInteger();
    private RdmaNetwork network = RdmaNetwork.start();

    public WakeupsTckTest() {
        super(new TestEnvironment(500, 50));
    }

    @BeforeClass
    public void open() {
        if (adapters.get() > 0) {
            network = RdmaNetwork.start();
        }
    }

    @AfterClass
    public void close() {
        network.close();
    }

    private Loopback loopback() {
        return new Loopback(network, Loopback.adapter(network, "a" + adapters.incrementAndGet()));
    }

    @Override
    public long maxElementsFromPublisher() {
        return MOST;
    }

    @Override
    public Flow.Publisher<CompletionQueue> createFlowPublisher(long elements) {
        Loopback loopback = loopback();
        for (int i = 0; i < elements; i++) {
            loopback.cq.arm(CompletionQueue.Arm.ANY);
            loopback.complete(1);
        }
        return new Finite<>(loopback.channel.wakeups(), elements, loopback::end);
    }

    /** The channel is polled already. */
    @Override
    public Flow.Publisher<CompletionQueue> createFailedFlowPublisher() {
        Loopback loopback = loopback();
        loopback.channel.wakeups().subscribe(org.hcaactors.api.stream.Subscribers.forEach(queue -> {}));
        return loopback.channel.wakeups();
    }
}
