// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * The clocks of runs. A packet enters no earlier than it left, so each one bounds the offset between two clocks from one side, and
 * packets in both directions bound it to the length of a round trip.
 */
final class NodeClocks {
    private static final long NONE = Long.MIN_VALUE;

    private final List<String> names;
    /** By the runs where a packet left and entered: the greatest difference of the two times. */
    private final long[][] earliest;

    private final long[][] packets;
    private final List<Optional<NodeClock>> clocks;

    private NodeClocks(List<String> names) {
        this.names = names;
        int runs = names.size();
        earliest = new long[runs][runs];
        packets = new long[runs][runs];
        Arrays.stream(earliest).forEach(row -> Arrays.fill(row, NONE));
        clocks = new ArrayList<>(Collections.nCopies(runs, Optional.empty()));
    }

    /** Returns the clocks of the runs, in their order; the first is that of all. */
    static List<NodeClock> of(List<String> names, List<Crossing> crossings) {
        return new NodeClocks(names).from(crossings);
    }

    private List<NodeClock> from(List<Crossing> crossings) {
        for (Crossing crossing : crossings) {
            int from = crossing.left().run();
            int to = crossing.entered().run();
            long difference = crossing.left().event().stamp().nanos()
                    - crossing.entered().event().stamp().nanos();
            earliest[from][to] = Math.max(earliest[from][to], difference);
            packets[from][to]++;
        }
        clocks.set(0, Optional.of(new NodeClock(names.getFirst(), names.getFirst(), 0, OptionalLong.of(0), 0, true)));
        while (clocks.stream().anyMatch(Optional::isEmpty)) {
            NodeClock next = next();
            clocks.set(names.indexOf(next.name()), Optional.of(next));
        }
        return clocks.stream().flatMap(Optional::stream).toList();
    }

    /** Returns the clock that is known best beside one that is known; a run without packets to or from another has the offset 0. */
    private NodeClock next() {
        return IntStream.range(0, names.size())
                .filter(run -> clocks.get(run).isEmpty())
                .boxed()
                .flatMap(run -> IntStream.range(0, names.size())
                        .boxed()
                        .flatMap(known -> clocks.get(known).stream().map(clock -> beside(run, known, clock))))
                .min(Comparator.comparingLong(NodeClocks::doubt))
                .orElseThrow();
    }

    private static long doubt(NodeClock clock) {
        long unknown = clock.packets() > 0 ? Long.MAX_VALUE - 1 : Long.MAX_VALUE;
        return clock.uncertaintyNanos().orElse(unknown);
    }

    private NodeClock beside(int run, int known, NodeClock reference) {
        long atLeast = earliest[known][run];
        long atMost = earliest[run][known] == NONE ? NONE : -earliest[run][known];
        OptionalLong uncertainty = OptionalLong.empty();
        long offset = 0;
        if (atLeast != NONE && atMost != NONE) {
            offset = Math.floorDiv(atLeast + atMost, 2);
            uncertainty = OptionalLong.of(Math.abs(atMost - atLeast + 1) / 2);
        } else if (atLeast != NONE) {
            offset = atLeast;
        } else if (atMost != NONE) {
            offset = atMost;
        }
        return new NodeClock(
                names.get(run),
                reference.name(),
                reference.offsetNanos() + offset,
                uncertainty,
                packets[known][run] + packets[run][known],
                atLeast == NONE || atMost == NONE || atLeast <= atMost);
    }
}
