// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.flow.AdapterEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.Ladder;
import org.hcaactors.views.flow.PacketFates;
import org.hcaactors.views.flow.Wording;
import org.hcaactors.views.report.FailedRun;

/**
 * The last events of a failed run: the last completions and asynchronous events, and a ladder of two adapters. The first is the
 * adapter of the failure, or else of the newest completion or event; the second is the one with which the first exchanged its
 * last packet.
 */
final class FailureContext {
    private static final int LAST_PACKETS = 24;
    private static final int LAST_TOLD = 3;
    private static final int MAX_COLUMNS = 100;
    private static final Set<QpState> PREPARED_FROM = EnumSet.of(QpState.RESET, QpState.INIT, QpState.RTR);

    private final List<TraceEvent> events;
    private final PacketFates fates;
    private final Set<String> ports = new TreeSet<>();

    FailureContext(FailedRun run) {
        events = run.events();
        fates = new PacketFates(events);
        Predicate<TraceEvent> last = run.broken().isPresent()
                ? event -> event.stamp().id() == run.broken().getAsLong()
                : FailureContext::isTold;
        newest().filter(last).flatMap(this::ports).findFirst().ifPresent(ports::add);
        newest().filter(FabricEvent.Sent.class::isInstance)
                .map(sent -> ports(sent).toList())
                .filter(both -> ports.isEmpty() || both.stream().anyMatch(ports::contains))
                .findFirst()
                .ifPresent(ports::addAll);
    }

    private Stream<TraceEvent> newest() {
        return events.reversed().stream();
    }

    /** Returns the adapter of an event, or the sender and receiver of a packet. */
    private Stream<String> ports(TraceEvent event) {
        return switch (event) {
            case AdapterEvent inside -> Stream.of(inside.port());
            case FabricEvent packet ->
                Stream.of(packet.port(), fates.port(packet.packet().route().destination()));
            default -> Stream.empty();
        };
    }

    /** True for a state change on the way to RTS. */
    private static boolean isPreparation(TraceEvent event) {
        return event instanceof HcaEvent.StateChanged changed
                && PREPARED_FROM.contains(changed.from())
                && changed.to() != QpState.ERR;
    }

    private static boolean isTold(TraceEvent event) {
        return event instanceof HcaEvent.Completed || event instanceof HcaEvent.Raised;
    }

    /** Returns the last completions and asynchronous events that programs received, one per line. */
    List<String> describe() {
        return newest().filter(FailureContext::isTold)
                .limit(LAST_TOLD)
                .flatMap(event -> Wording.inside(event)
                        .map(words -> "%s us %s: %s"
                                .formatted(Wording.micros(event.stamp().nanos()), ((AdapterEvent) event).port(), words))
                        .stream())
                .toList()
                .reversed();
    }

    List<String> ladder() {
        List<TraceEvent> theirs = events.stream()
                .filter(event -> ports(event).allMatch(ports::contains) && !isPreparation(event))
                .toList();
        int from = theirs.size();
        for (int packets = 0; from > 0 && packets < LAST_PACKETS; from--) {
            if (theirs.get(from - 1) instanceof FabricEvent.Sent) {
                packets++;
            }
        }
        return Ladder.part(theirs, theirs, theirs.subList(from, theirs.size())).stream()
                .map(FailureContext::cut)
                .toList();
    }

    private static String cut(String line) {
        return line.length() <= MAX_COLUMNS ? line : line.substring(0, MAX_COLUMNS - 1) + "…";
    }
}
