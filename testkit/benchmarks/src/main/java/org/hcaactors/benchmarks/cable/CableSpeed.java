// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.cable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hcaactors.benchmarks.CpuTime;

/**
 * Speed of the UDP cable between two JVMs on loopback, relative to bare UDP datagrams of the same size between the same JVMs.
 * Rounds alternate between all figures; a ratio is the median of those of the rounds. CPU time is that of both JVMs.
 */
public final class CableSpeed {
    private static final int ROUNDS = 5;

    /** Rounds before those that count, while the JVMs compile. */
    private static final int WARM_UP = 6;

    private static final int SMALL = 64;

    /** Contents of a datagram with a middle packet of 4096 bytes: BTH, payload and ICRC. */
    private static final int LARGE_DATAGRAM = 4096 + 12 + 4;

    /** Bare datagrams under way; the buffer of 4 MiB that a socket requests holds them. */
    private static final int WINDOW = 512;

    /** Operations that are measured, each after its floor. */
    private enum Figure {
        BARE_SMALL("bare datagrams of 64 B", 128_000),
        RC_SMALL("RC SEND 64 B, batches of 64", 128_000, BARE_SMALL),
        UD_SMALL("UD SEND 64 B, batches of 64", 128_000, BARE_SMALL),
        BARE_LARGE("bare datagrams of 4112 B", 51_200),
        RC_WRITE("RDMA WRITE 1 MiB, MTU 4096", 200, BARE_LARGE, 256),
        RC_READ("RDMA READ 1 MiB, MTU 4096", 200, BARE_LARGE, 256),
        RC_LARGE("RC SEND 1 MiB, MTU 4096", 200, BARE_LARGE, 256),
        BARE_PING("bare ping-pong of 64 B", 10_000),
        RC_PING("RC ping-pong of 64 B", 10_000, BARE_PING);

        final String text;
        final int operations;
        final Figure floor;
        final int datagrams;

        Figure(String text, int operations) {
            this.text = text;
            this.operations = operations;
            this.floor = this;
            datagrams = 1;
        }

        Figure(String text, int operations, Figure floor) {
            this(text, operations, floor, 1);
        }

        /** @param datagrams of the floor that have as many bytes as one operation */
        Figure(String text, int operations, Figure floor, int datagrams) {
            this.text = text;
            this.operations = operations;
            this.floor = floor;
            this.datagrams = datagrams;
        }
    }

    /**
     * Result of a round.
     *
     * @param nanos elapsed time of one operation
     * @param cpuNanos CPU time of one operation, of both JVMs
     * @param lost part of the operations that did not arrive
     */
    private record Cost(double nanos, double cpuNanos, double lost) {}

    private final Places places = Places.free();
    private final PeerProcess peer = new PeerProcess(places);
    private final BareClient bare = new BareClient(places);
    private final RdmaClient rdma = new RdmaClient(places);
    private final Map<Figure, List<Cost>> costs = new EnumMap<>(Figure.class);

    private CableSpeed() {}

    /** @param arguments number of rounds, if not {@value #ROUNDS}; a part of the names of the figures, if not all */
    public static void main(String[] arguments) throws InterruptedException {
        String rounds = arguments.length == 0 ? Integer.toString(ROUNDS) : arguments[0];
        if (!rounds.matches("[1-9][0-9]{0,3}") || arguments.length > 2) {
            System.err.println(
                    "bench: --cable takes a number of rounds, 1 to 9999, and a part of the names of figures; not "
                            + String.join(" ", arguments));
            System.exit(2);
        }
        print(Integer.parseInt(rounds), arguments.length < 2 ? "" : arguments[1]);
    }

    /** Measures and prints. */
    public static void print() throws InterruptedException {
        print(ROUNDS, "");
    }

    private static void print(int rounds, String part) throws InterruptedException {
        List<Figure> all = Arrays.stream(Figure.values())
                .filter(figure -> figure.text.contains(part))
                .flatMap(figure -> Stream.of(figure.floor, figure))
                .distinct()
                .toList();
        CableSpeed speed = new CableSpeed();
        try {
            for (int i = -WARM_UP; i < rounds; i++) {
                for (Figure figure : all) {
                    Cost cost = speed.measure(figure);
                    if (i >= 0) {
                        speed.costs
                                .computeIfAbsent(figure, first -> new ArrayList<>())
                                .add(cost);
                    }
                }
            }
            speed.report();
        } finally {
            speed.rdma.close();
            speed.bare.close();
            speed.peer.close();
        }
    }

    private Cost measure(Figure figure) throws InterruptedException {
        long cpu = CpuTime.nanos() + peer.cpuNanos();
        long began = System.nanoTime();
        long done = run(figure);
        double elapsed = System.nanoTime() - began;
        double used = CpuTime.nanos() + peer.cpuNanos() - cpu;
        return new Cost(elapsed / done, used / done, 1 - (double) done / figure.operations);
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

    private void report() {
        System.out.printf(
                "%n%-34s %12s %10s %12s %10s %10s%n",
                "UDP cable", "ns/op", "x floor", "CPU ns/op", "x floor", "lost, %");
        costs.forEach((figure, own) -> {
            List<Cost> floor = costs.getOrDefault(figure.floor, List.of());
            System.out.printf(
                    "%-34s %12.0f %10.2f %12.0f %10.2f %10.2f%n",
                    figure.text,
                    median(own.stream().mapToDouble(Cost::nanos)),
                    median(ratios(figure, floor, own, false)),
                    median(own.stream().mapToDouble(Cost::cpuNanos)),
                    median(ratios(figure, floor, own, true)),
                    100 * own.stream().mapToDouble(Cost::lost).max().orElseThrow());
        });
        rdma.counters().forEach((name, value) -> System.out.printf("%-34s %12d%n", name, value));
    }

    private static DoubleStream ratios(Figure figure, List<Cost> floor, List<Cost> own, boolean cpu) {
        return IntStream.range(0, own.size())
                .mapToDouble(i -> figure.datagrams
                        * (cpu
                                ? floor.get(i).cpuNanos() / own.get(i).cpuNanos()
                                : floor.get(i).nanos() / own.get(i).nanos()));
    }

    private static double median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
