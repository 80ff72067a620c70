// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.TraceRecorder;

/**
 * Recorded runs of several nodes of one fabric, or of several JVMs that a cable joins, as one run: a packet that left one and entered
 * another is one packet, and causes reach across. Times are on the clock of the first one.
 *
 * @param run the joined run
 * @param clocks the clocks of the runs, in their order
 */
public record JoinedRun(Rlog run, List<NodeClock> clocks) {
    /** A limit for what is joined; each run has a node or a JVM of its own. */
    public static final int MAX_RUNS = 64;

    public JoinedRun {
        clocks = List.copyOf(clocks);
    }

    /**
     * A run to be joined.
     *
     * @param name for readers; it comes before the names of ports that other runs have, too
     */
    public record Part(String name, Rlog run) {}

    /**
     * Joins runs.
     *
     * @param parts 2 to {@value #MAX_RUNS} runs with different names
     * @throws IllegalArgumentException if there are fewer or more, if two have the same name, or if they have more than {@value
     *     TraceRecorder#CAPACITY} events together
     */
    public static JoinedRun of(List<Part> parts) {
        List<String> names = parts.stream().map(Part::name).toList();
        if (parts.size() < 2 || parts.size() > MAX_RUNS) {
            throw new IllegalArgumentException(parts.size() + " runs; 2 to " + MAX_RUNS + " are allowed");
        }
        if (new HashSet<>(names).size() < names.size()) {
            throw new IllegalArgumentException("the names of the runs are " + names + "; they must be different");
        }
        List<List<TraceEvent>> runs =
                parts.stream().map(part -> part.run().events()).toList();
        long events = runs.stream().mapToLong(List::size).sum();
        if (events > TraceRecorder.CAPACITY) {
            throw new IllegalArgumentException(
                    "the runs have " + events + " events together; at most " + TraceRecorder.CAPACITY + " are allowed");
        }
        Crossings crossings = new Crossings(runs);
        List<NodeClock> clocks = NodeClocks.of(names, crossings.inOrder());
        ToLongFunction<Crossing.Side> time =
                side -> side.event().stamp().nanos() + clocks.get(side.run()).offsetNanos();
        List<TraceEvent> joined = new RunMerge(parts, time, crossings.byTime(time)).merged();
        return new JoinedRun(new Rlog(header(names), joined, unknown(parts), trailer(parts, joined)), clocks);
    }

    /** Returns the run with times that begin with its first event. */
    public static Rlog fromZero(Rlog run) {
        List<TraceEvent> events = new RunMerge(
                        List.of(new Part("", run)), side -> side.event().stamp().nanos(), List.of())
                .merged();
        return new Rlog(run.header(), events, run.unknown(), run.trailer());
    }

    private static Rlog.Header header(List<String> names) {
        return Rlog.Header.of(String.join(", ", names));
    }

    private static int unknown(List<Part> parts) {
        return parts.stream().mapToInt(part -> part.run().unknown()).sum();
    }

    /** Returns none if one of the runs has none: then later events are missing. */
    private static Optional<Rlog.Trailer> trailer(List<Part> parts, List<TraceEvent> joined) {
        List<Rlog.Trailer> all =
                parts.stream().flatMap(part -> part.run().trailer().stream()).toList();
        long forgotten = all.stream().mapToLong(Rlog.Trailer::forgotten).sum();
        return all.size() < parts.size() ? Optional.empty() : Optional.of(new Rlog.Trailer(joined.size(), forgotten));
    }
}
