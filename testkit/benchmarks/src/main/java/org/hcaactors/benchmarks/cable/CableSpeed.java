// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.cable;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * Speed of the UDP cable between two JVMs on loopback, relative to bare UDP datagrams of the same size between the same JVMs.
 * Rounds alternate between all figures; a ratio is the median of those of the rounds. CPU time is that of both JVMs.
 */
public final class CableSpeed {
    private static final int SMALL = 64;

    /** Contents of a datagram with a middle packet of 4096 bytes: BTH, payload and ICRC. */
    private static final int LARGE_DATAGRAM = 4096 + 12 + 4;

    /** Bare datagrams under way; the buffer of 4 MiB that a socket requests holds them. */
    private static final int WINDOW = 512;

    /** Operations that are measured, each after its floor. */
    private enum Figure implements SpeedRounds.Figure<Figure> {
        BARE_SMALL("bare datagrams of 64 B", 128_000),
        RC_SMALL("RC SEND 64 B, batches of 64", 128_000, BARE_SMALL),
        UD_SMALL("UD SEND 64 B, batches of 64", 128_000, BARE_SMALL),
        BARE_LARGE("bare datagrams of 4112 B", 51_200),
        RC_WRITE("RDMA WRITE 1 MiB, MTU 4096", 200, BARE_LARGE, 256),
        RC_READ("RDMA READ 1 MiB, MTU 4096", 200, BARE_LARGE, 256),
        RC_LARGE("RC SEND 1 MiB, MTU 4096", 200, BARE_LARGE, 256),
        BARE_PING("bare ping-pong of 64 B", 10_000),
        RC_PING("RC ping-pong of 64 B", 10_000, BARE_PING);

        private final String text;
        final int operations;
        private final List<SpeedRounds.Floor<Figure>> floors;

        Figure(String text, int operations) {
            this.text = text;
            this.operations = operations;
            floors = List.of();
        }

        Figure(String text, int operations, Figure floor) {
            this(text, operations, floor, 1);
        }

        /** @param datagrams of the floor that have as many bytes as one operation */
        Figure(String text, int operations, Figure floor, int datagrams) {
            this.text = text;
            this.operations = operations;
            floors = List.of(new SpeedRounds.Floor<>(floor, datagrams));
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

    private final Places places = Places.free();
    private final PeerProcess peer = new PeerProcess(CablePeer.class, places.arguments());
    private final BareClient bare = new BareClient(places);
    private final RdmaClient rdma = new RdmaClient(
            RdmaHost.behindCable(places, Places.client(), Places.server()),
            new InetSocketAddress(Places.server(), RdmaHost.SERVICE));

    private CableSpeed() {}

    /** @param arguments number of rounds, if not {@value SpeedRounds#ROUNDS}; a part of the names of the figures, if not all */
    public static void main(String[] arguments) throws InterruptedException {
        print(SpeedRounds.Wanted.of("--cable", arguments));
    }

    /** Measures and prints. */
    public static void print() throws InterruptedException {
        print(SpeedRounds.Wanted.ALL);
    }

    private static void print(SpeedRounds.Wanted wanted) throws InterruptedException {
        CableSpeed speed = new CableSpeed();
        try {
            SpeedRounds<Figure> rounds = new SpeedRounds<>(List.of(Figure.values()), speed::run, speed.peer);
            rounds.measure(wanted);
            rounds.report("UDP cable");
            speed.rdma.counters().forEach((name, value) -> System.out.printf("%-34s %12d%n", name, value));
        } finally {
            speed.rdma.close();
            speed.bare.close();
            speed.peer.close();
        }
    }

    /** Returns the number of operations that arrived. */
    private long run(Figure figure) throws InterruptedException {
        int operations = figure.operations;
        switch (figure) {
            case BARE_SMALL -> {
                return bare.send(operations, SMALL, WINDOW);
            }
            case BARE_LARGE -> {
                return bare.send(operations, LARGE_DATAGRAM, WINDOW);
            }
            case BARE_PING -> bare.pingPong(operations, SMALL);
            case RC_SMALL -> rdma.messages(operations);
            case UD_SMALL -> rdma.datagrams(operations);
            case RC_WRITE -> rdma.writes(operations);
            case RC_READ -> rdma.reads(operations);
            case RC_LARGE -> rdma.largeMessages(operations);
            case RC_PING -> rdma.pingPong(operations);
        }
        return operations;
    }
}
