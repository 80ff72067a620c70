// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.across;

import java.util.function.Supplier;
import java.util.stream.Stream;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.network.Environment;
import org.hcaactors.tests.cable.Host;
import org.hcaactors.tests.cluster.Node;
import org.junit.jupiter.api.Named;

/**
 * Two networks that are joined. Tests that share them use names of their own.
 *
 * @param far the other network; it has one adapter
 * @param end closes both
 */
record Joint(Host near, Host far, Runnable end) implements AutoCloseable {
    /** Returns each way to join two networks; one is started when it is its turn. */
    static Stream<Named<Joint>> ways() {
        return Stream.<Supplier<Named<Joint>>>of(
                        () -> Named.of("UDP on loopback addresses", overUdp()),
                        () -> Named.of("nodes of a cluster", overCluster()))
                .map(Supplier::get);
    }

    private static Joint overUdp() {
        int port = Host.freePort();
        Host near = Host.behind(Environment.production()
                .withCable(Cable.udp(Host.loopback(2), Host.loopback(4), Host.loopback(5), Host.loopback(6))
                        .withPeers(Host.loopback(3))
                        .withPort(port)));
        Host far = Host.behind(Host.cable(3, port, 2, 4, 5, 6));
        return new Joint(near, far, () -> {
            near.close();
            far.close();
        });
    }

    private static Joint overCluster() {
        Node near = Node.first("near");
        Node far = near.join("far");
        near.awaitAdapters("far");
        far.awaitAdapters("near");
        return new Joint(near.host, far.host, () -> {
            near.close();
            far.close();
        });
    }

    /** Returns packets that left the near network. */
    long sent() {
        return near.network.cableCounters().getOrDefault("tx_packets", -1L);
    }

    @Override
    public void close() {
        end.run();
    }
}
