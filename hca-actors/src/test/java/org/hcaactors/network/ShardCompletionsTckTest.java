package org.hcaactors.network;

import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import org.hcaactors.api.completion.WorkCompletion;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;

/** Completions on the adapter's own thread. */
public class ShardCompletionsTckTest extends FlowPublisherVerification<WorkCompletion> {
    private static final int MOST = 100;
    private final AtomicInteger adapters = new AtomicInteger();
    private RdmaNetwork network = RdmaNetwork.start();

    public ShardCompletionsTckTest() {
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
    public Flow.Publisher<WorkCompletion> createFlowPublisher(long elements) {
        Loopback loopback = loopback();
        loopback.complete((int) elements);
        return new Finite<>(loopback.cq.completionsOnShard(), elements, loopback::end);
    }

    /** The queue is polled already. */
    @Override
    public Flow.Publisher<WorkCompletion> createFailedFlowPublisher() {
        Loopback loopback = loopback();
        loopback.cq.completions().subscribe(org.hcaactors.api.stream.Subscribers.forEach(wc -> {}));
        return loopback.cq.completionsOnShard();
    }
}
