// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.setup;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.network.RdmaNetwork;
import org.hcaactors.tests.cluster.Node;
import org.hcaactors.views.flow.TraceRecorder;

/** Ends on two nodes of this JVM, whose packets Artery carries over TCP on the loopback interface. */
record NodeEnds(Nodes nodes, Adapter a, Adapter b) implements TwoEnds {
    private static final Duration LONGEST = Duration.ofSeconds(30);

    /** A busy machine delays answers. */
    private static final RcConnection TERMS = RcConnection.DEFAULT.withTimeout(Duration.ofMillis(130));

    /** Two nodes, started once, as they take a second to join. Each test has an adapter of its own on either. */
    static final class Nodes implements Layout {
        /** Nodes join and leave soon, and new adapters are known soon. */
        private static final Config QUICK = ConfigFactory.parseString("""
                pekko.cluster {
                  gossip-interval = 100ms
                  leader-actions-interval = 100ms
                  distributed-data { gossip-interval = 30ms, notify-subscribers-interval = 10ms }
                }
                """);

        private final TraceRecorder trace = new TraceRecorder();
        private final Node near = Node.first("near", QUICK, trace);
        private final Node far = near.join("far", QUICK, trace);
        private int tests;

        @Override
        public TwoEnds open(long seed, Profile profile) {
            tests++;
            String left = "a" + tests;
            String right = "b" + tests;
            Adapter a = near.host.network.addAdapter(left, profile, LinkProperties.IDEAL, HOST);
            Adapter b = far.host.network.addAdapter(right, profile, LinkProperties.IDEAL, HOST);
            near.awaitAdapters(right);
            far.awaitAdapters(left);
            return new NodeEnds(this, a, b);
        }

        @Override
        public void close() {
            near.close();
            far.close();
        }
    }

    @Override
    public RdmaNetwork network() {
        return nodes.near.host.network;
    }

    @Override
    public RcConnection terms() {
        return TERMS;
    }

    @Override
    public int rounds(int inVirtualTime) {
        return Math.max(1, inVirtualTime / 4);
    }

    @Override
    public void eventually(Runnable assertion) {
        Awaitility.with()
                .atMost(LONGEST)
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .untilAsserted(assertion::run);
    }

    @Override
    public <E extends TraceEvent> Stream<E> traced(Class<E> kind) {
        return nodes.trace
                .of(kind)
                .filter(event -> event.port().equals(a.name()) || event.port().equals(b.name()));
    }

    /** Ends the programs of the test; the nodes go on. */
    @Override
    public void close() {
        end(nodes.near.host.network, a);
        end(nodes.far.host.network, b);
    }

    private static void end(RdmaNetwork network, Adapter adapter) {
        network.processes(adapter)
                .forEach(name -> network.await(adapter.process(name).exit()));
    }
}
