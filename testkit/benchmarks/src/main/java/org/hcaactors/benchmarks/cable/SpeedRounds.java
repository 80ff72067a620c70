// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.cable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hcaactors.benchmarks.CpuTime;

/**
 * Rounds of operations between two JVMs. They alternate between all figures; a ratio is the median of those of the rounds. CPU
 * time is that of both JVMs.
 *
 * @param <F> what is measured
 */
final class SpeedRounds<F extends SpeedRounds.Figure<F>> {
    static final int ROUNDS = 5;

    /** Rounds before those that count, while the JVMs compile. */
    private static final int WARM_UP = 6;

    /** An operation that is measured. */
    interface Figure<F> {
        String text();

        /** Returns how many are a round. */
        int operations();

        /** Returns what it is compared with. */
        List<Floor<F>> floors();
    }

    /**
     * Something that an operation is compared with.
     *
     * @param times operations of the floor that have as many bytes as one operation
     */
    record Floor<F>(F figure, int times) {}

    /** Runs the operations of a figure. */
    interface Program<F> {
        /** Returns the number of operations that arrived. */
        long run(F figure) throws InterruptedException;
    }

    /**
     * Request of the command line.
     *
     * @param part of the names of the figures
     */
    record Wanted(int rounds, String part) {
        static final Wanted ALL = new Wanted(ROUNDS, "");

        /** Reads it, or ends the program with an error. */
        static Wanted of(String option, String... arguments) {
            String rounds = arguments.length == 0 ? Integer.toString(ROUNDS) : arguments[0];
            if (!rounds.matches("[1-9][0-9]{0,3}") || arguments.length > 2) {
                System.err.println("bench: " + option
                        + " takes a number of rounds, 1 to 9999, and a part of the names of figures; not "
                        + String.join(" ", arguments));
                System.exit(2);
            }
            return new Wanted(Integer.parseInt(rounds), arguments.length < 2 ? "" : arguments[1]);
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

    private final List<F> figures;
    private final Program<F> program;
    private final PeerProcess peer;
    private final Map<F, List<Cost>> costs = new LinkedHashMap<>();

    SpeedRounds(List<F> figures, Program<F> program, PeerProcess peer) {
        this.figures = figures;
        this.program = program;
        this.peer = peer;
    }

    void measure(Wanted wanted) throws InterruptedException {
        List<F> all = figures.stream()
                .filter(figure -> figure.text().contains(wanted.part))
                .flatMap(figure -> Stream.concat(figure.floors().stream().map(Floor::figure), Stream.of(figure)))
                .distinct()
                .toList();
        for (int i = -WARM_UP; i < wanted.rounds; i++) {
            for (F figure : all) {
                Cost cost = measure(figure);
                if (i >= 0) {
                    costs.computeIfAbsent(figure, first -> new ArrayList<>()).add(cost);
                }
            }
        }
    }

    private Cost measure(F figure) throws InterruptedException {
        long cpu = CpuTime.nanos() + peer.cpuNanos();
        long began = System.nanoTime();
        long done = program.run(figure);
        double elapsed = System.nanoTime() - began;
        double used = CpuTime.nanos() + peer.cpuNanos() - cpu;
        return new Cost(elapsed / done, used / done, 1 - (double) done / figure.operations());
    }

    void report(String title) {
        System.out.printf("%n%-46s %12s %12s %8s%n", title, "ns/op", "CPU ns/op", "lost, %");
        costs.forEach((figure, own) -> {
            System.out.printf(
                    "%-46s %12.0f %12.0f %8.2f%n",
                    figure.text(),
                    median(own.stream().mapToDouble(Cost::nanos)),
                    median(own.stream().mapToDouble(Cost::cpuNanos)),
                    100 * own.stream().mapToDouble(Cost::lost).max().orElseThrow());
            figure.floors().forEach(floor -> report(floor, own));
        });
    }

    private void report(Floor<F> floor, List<Cost> own) {
        List<Cost> its = costs.getOrDefault(floor.figure, List.of());
        System.out.printf(
                "  x %-42s %12.2f %12.2f%n",
                floor.figure.text(),
                median(IntStream.range(0, own.size())
                        .mapToDouble(i ->
                                floor.times * its.get(i).nanos() / own.get(i).nanos())),
                median(IntStream.range(0, own.size())
                        .mapToDouble(i ->
                                floor.times * its.get(i).cpuNanos() / own.get(i).cpuNanos())));
    }

    private static double median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
