package org.hcaactors.network;

import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import org.hcaactors.fabric.flow.FabricEvent;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;

/** Events of the fabric. */
public class FabricEventsTckTest extends FlowPublisherVerification<FabricEvent> {
    private static final int MOST = 100;
    private final AtomicInteger adapters = new AtomicInteger();
    private RdmaNetwork network = RdmaNetwork.start();

    public FabricEventsTckTest() {
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

    /** It ends when the watch is closed, with as many events as there were. */
    @Override
    public long maxElementsFromPublisher() {
        return publisherUnableToSignalOnComplete();
    }

    @Override
    public Flow.Publisher<FabricEvent> createFlowPublisher(long elements) {
        Loopback loopback = loopback();
        FabricWatch watch = network.watch(1000);
        loopback.complete((int) Math.min(elements, MOST));
        return watch.events();
    }

    /** The watch is polled already. */
    @Override
    public Flow.Publisher<FabricEvent> createFailedFlowPublisher() {
        FabricWatch watch = network.watch(10);
        watch.events().subscribe(org.hcaactors.api.stream.Subscribers.forEach(event -> {}));
        return watch.events();
    }
}
