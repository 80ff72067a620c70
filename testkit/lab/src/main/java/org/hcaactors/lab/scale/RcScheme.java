// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scale;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.hcaactors.api.queue.QpBuilder;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.queue.RcPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.network.RdmaNetwork;

/** Each process has a queue pair for each process of every other node, and one shared receive queue for all of them. */
record RcScheme(String name) implements Scheme {
    private static final int RECEIVES = 255;

    @Override
    public Census ofNode(Cluster cluster) {
        long processes = cluster.processes();
        return Census.of(Map.of(QpType.RC, processes * processes * cluster.others()));
    }

    @Override
    public Stream<Wire> wires(RdmaNetwork network, Site site) {
        Map<Site.Process, SharedReceiveQueue> receives = new HashMap<>();
        site.nodes()
                .forEach(node -> node.forEach(process ->
                        receives.put(process, network.await(process.domain().createSrq(RECEIVES)))));
        return site.couples()
                .map(both -> new Wire(2, () -> RcPair.connect(end(both.one(), receives), end(both.other(), receives))));
    }

    private static QpBuilder<RcQueuePair> end(Site.Process process, Map<Site.Process, SharedReceiveQueue> receives) {
        return process.domain()
                .rc()
                .sendCq(process.completions())
                .recvCq(process.completions())
                .srq(receives.get(process));
    }
}
