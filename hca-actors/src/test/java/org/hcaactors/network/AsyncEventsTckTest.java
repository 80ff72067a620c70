package org.hcaactors.network;

import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.DeviceContext;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;

/** Asynchronous events of a context. */
public class AsyncEventsTckTest extends FlowPublisherVerification<AsyncEvent> {
    private static final int MOST = 100;
    private final AtomicInteger adapters = new AtomicInteger();
    private RdmaNetwork network = RdmaNetwork.start();

    public AsyncEventsTckTest() {
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

    /** Its end comes with the context, which the publisher does not know. */
    @Override
    public long maxElementsFromPublisher() {
        return publisherUnableToSignalOnComplete();
    }

    @Override
    public Flow.Publisher<AsyncEvent> createFlowPublisher(long elements) {
        Loopback loopback = loopback();
        for (int i = 0; i < Math.min(elements, MOST); i++) {
            network.unplug(loopback.adapter);
            network.plug(loopback.adapter);
        }
        return loopback.context.asyncEvents();
    }

    /** The events are polled already. */
    @Override
    public Flow.Publisher<AsyncEvent> createFailedFlowPublisher() {
        DeviceContext context = loopback().context;
        context.asyncEvents().subscribe(org.hcaactors.api.stream.Subscribers.forEach(event -> {}));
        return context.asyncEvents();
    }
}
