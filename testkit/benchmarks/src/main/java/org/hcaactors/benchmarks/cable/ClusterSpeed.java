// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.cable;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorSystem;
import org.hcaactors.api.address.Gid;
import org.hcaactors.network.RdmaNetwork;

/**
 * Speed between two nodes of a cluster, each in a JVM of its own on this machine, relative to bare messages of Artery between the
 * same nodes, and to two adapters of one network in one JVM.
 */
public final class ClusterSpeed {
    private static final int SMALL = 64;
    private static final int OPERATIONS = 128_000;
    private static final int WRITES = 200;

    /** Bare messages of a MiB: as large as the trains that carry packets between nodes. */
    private static final int LARGE_MESSAGES = 8;

    /** Operations that are measured. */
    private enum Figure implements SpeedRounds.Figure<Figure> {
        BARE_SMALL("bare message of 64 B, batches of 64", OPERATIONS),
        BARE_BATCH("64 B of a bare message of 4096 B", OPERATIONS),
        LOCAL_SMALL("RC SEND 64 B in one JVM, batches of 64", OPERATIONS),
        SMALL_SENDS("RC SEND 64 B, batches of 64", OPERATIONS, BARE_SMALL, BARE_BATCH, LOCAL_SMALL),
        BARE_LARGE("1 MiB in bare messages of 128 KiB", WRITES),
        LOCAL_WRITE("RDMA WRITE 1 MiB in one JVM, MTU 4096", WRITES),
        LARGE_WRITES("RDMA WRITE 1 MiB, MTU 4096", WRITES, BARE_LARGE, LOCAL_WRITE);

        private final String text;
        private final int operations;
        private final List<SpeedRounds.Floor<Figure>> floors;

        Figure(String text, int operations, Figure... floors) {
            this.text = text;
            this.operations = operations;
            this.floors = List.of(floors).stream()
                    .map(floor -> new SpeedRounds.Floor<>(floor, 1))
                    .toList();
        }

        @Override
        public String text() {
            return text;
        }

        @Override
        public int operations() {
            return operations;
        }

        @Override
        public List<SpeedRounds.Floor<Figure>> floors() {
            return floors;
        }
    }

    private final PeerProcess peer;
    private final BareSender bare;
    private final RdmaClient rdma;
    private final RdmaClient local;

    private ClusterSpeed(PeerProcess peer, BareSender bare, RdmaClient rdma, RdmaClient local) {
        this.peer = peer;
        this.bare = bare;
        this.rdma = rdma;
        this.local = local;
    }

    /** @param arguments number of rounds, if not {@value SpeedRounds#ROUNDS}; a part of the names of the figures, if not all */
    public static void main(String[] arguments) throws InterruptedException {
        SpeedRounds.Wanted wanted = SpeedRounds.Wanted.of("--cluster", arguments);
        ActorSystem<Void> system = ClusterSystem.start("");
        try (RdmaNetwork one = RdmaNetwork.start();
                RdmaNetwork network = ClusterSystem.network(system);
                PeerProcess peer = new PeerProcess(ClusterPeer.class, List.of(ClusterSystem.address(system)))) {
            ClusterSystem.awaitAdapter(network, ClusterPeer.ADAPTER);
            RdmaServer localServer = new RdmaServer(new RdmaHost(one, ClusterPeer.ADAPTER));
            ClusterSpeed speed =
                    new ClusterSpeed(peer, new BareSender(system, peer.told()), client(network), client(one));
            speed.print(wanted);
            localServer.close();
        }
        system.terminate();
    }

    private static RdmaClient client(RdmaNetwork network) {
        Gid server = network.locate(ClusterPeer.ADAPTER).orElseThrow();
        return new RdmaClient(
                new RdmaHost(network, "client"), new InetSocketAddress(server.toInetAddress(), RdmaHost.SERVICE));
    }

    private void print(SpeedRounds.Wanted wanted) throws InterruptedException {
        SpeedRounds<Figure> rounds = new SpeedRounds<>(List.of(Figure.values()), this::run, peer);
        rounds.measure(wanted);
        rounds.report("two nodes of a cluster");
        for (Map.Entry<String, Long> counter : rdma.counters().entrySet()) {
            System.out.printf("%-46s %12d%n", counter.getKey(), counter.getValue());
        }
    }

    private long run(Figure figure) throws InterruptedException {
        int operations = figure.operations;
        switch (figure) {
            case BARE_SMALL -> bare.send(operations / RdmaClient.BATCH, RdmaClient.BATCHES, RdmaClient.BATCH, SMALL);
            case BARE_BATCH ->
                bare.send(operations / RdmaClient.BATCH, RdmaClient.BATCHES, 1, RdmaClient.BATCH * SMALL);
            case LOCAL_SMALL -> local.messages(operations);
            case SMALL_SENDS -> rdma.messages(operations);
            case BARE_LARGE ->
                bare.send(operations, RdmaClient.LARGE_REQUESTS, LARGE_MESSAGES, RdmaHost.LARGE / LARGE_MESSAGES);
            case LOCAL_WRITE -> local.writes(operations);
            case LARGE_WRITES -> rdma.writes(operations);
        }
        return operations;
    }
}
