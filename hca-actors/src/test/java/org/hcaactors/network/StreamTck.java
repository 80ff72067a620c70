// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.util.concurrent.atomic.AtomicInteger;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.testng.annotations.AfterClass;

/** Base of the stream verifications: a network on real threads, and an adapter for each stream. */
public abstract class StreamTck<T> extends FlowPublisherVerification<T> {
    static final int MAX = 100;

    private final AtomicInteger adapters = new AtomicInteger();
    private final RdmaNetwork network = RdmaNetwork.start();

    StreamTck() {
        super(new TestEnvironment(500, 50));
    }

    @AfterClass
    public void close() {
        network.close();
    }

    RdmaNetwork network() {
        return network;
    }

    Loopback loopback() {
        return new Loopback(network, Loopback.adapter(network, "a" + adapters.incrementAndGet()));
    }
}
