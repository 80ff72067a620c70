// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.memory.PageType;
import org.hcaactors.lab.hocon.Section;
import org.hcaactors.lab.scenario.Expectation.Span;

/** Reads the list {@code expect}. */
final class ExpectationReader {
    private static final List<String> KINDS = List.of(
            "exactly-once",
            "no-stall",
            "same-bytes",
            "completions",
            "connections",
            "receives",
            "sends",
            "arrivals",
            "figures",
            "refused",
            "events",
            "pages",
            "retransmissions",
            "lost-packets",
            "counters",
            "explained",
            "unfetched",
            "over-by");

    /** Largest code of a rejection. */
    private static final int MAX_REASON = 0xFFFF;

    private final Section file;
    private final Set<String> adapters;
    private final Set<String> connections;

    /** @param connections names of connections by communication management */
    ExpectationReader(Section file, Set<String> adapters, Set<String> connections) {
        this.file = file;
        this.adapters = adapters;
        this.connections = connections;
    }

    List<Expectation> read() {
        List<Expectation> all = new ArrayList<>();
        for (Section entry : file.sections("expect")) {
            if (entry.keys().size() != 1) {
                throw entry.wrong(
                        "an expectation is a name or an object with exactly one key; it has the keys " + entry.keys());
            }
            one(entry, entry.keys().getFirst(), all);
        }
        return all;
    }

    private void one(Section entry, String kind, List<Expectation> all) {
        switch (kind) {
            case "exactly-once" -> all.add(Expectation.Simple.EXACTLY_ONCE);
            case "no-stall" -> all.add(Expectation.Simple.NO_STALL);
            case "same-bytes" -> all.add(Expectation.Simple.SAME_BYTES);
            case "completions" -> all.add(new Expectation.Completions(counts(entry.section(kind), Status.class)));
            case "connections" -> connections(entry.section(kind), all);
            case "receives" -> all.add(new Expectation.Receives(counts(entry.section(kind), Status.class)));
            case "sends" -> all.add(new Expectation.Sends(counts(entry.section(kind), TaggedOutcome.SendEnd.class)));
            case "arrivals" ->
                all.add(new Expectation.Arrivals(counts(entry.section(kind), TaggedOutcome.Arrival.class)));
            case "figures" -> statistics(entry.section(kind), all);
            case "refused" -> all.add(new Expectation.Refused(counts(entry.section(kind), Verb.class)));
            case "events" -> all.add(new Expectation.Events(counts(entry.section(kind), AsyncEvent.Kind.class)));
            case "pages" -> all.add(new Expectation.Pages(counts(entry.section(kind), PageType.class)));
            case "retransmissions" -> all.add(new Expectation.Retransmissions(span(entry, kind)));
            case "lost-packets" -> all.add(new Expectation.LostPackets(span(entry, kind)));
            case "counters" -> counters(entry.section(kind), all);
            case "explained" -> all.add(explained(entry.section(kind)));
            case "unfetched" -> unfetched(entry.section(kind), all);
            case "over-by" -> all.add(new Expectation.OverBy(entry.time(kind)));
            default -> throw entry.wrong(kind, "unknown expectation; allowed are " + String.join(", ", KINDS));
        }
    }

    private static <E extends Enum<E>> Map<E, Span> counts(Section keys, Class<E> kind) {
        Map<E, Span> counts = new EnumMap<>(kind);
        for (String key : keys.keys()) {
            counts.put(keys.named(key, key, kind), span(keys, key));
        }
        return counts;
    }

    /** Reads a number, or an object with {@code at-least} and {@code at-most}. */
    private static Span span(Section keys, String key) {
        if (!keys.isObject(key)) {
            return Span.exactly(keys.whole(key, 0, Long.MAX_VALUE));
        }
        Section limits = keys.section(key);
        limits.only("at-least", "at-most");
        return new Span(
                limits.has("at-least") ? limits.whole("at-least", 0, Long.MAX_VALUE) : 0,
                limits.has("at-most") ? limits.whole("at-most", 0, Long.MAX_VALUE) : Long.MAX_VALUE);
    }

    private Expectation explained(Section keys) {
        keys.only("status", "connection", "root");
        if (!keys.has("connection")) {
            return new Expectation.Explained(keys.one("status", Status.class), keys.text("root"));
        }
        if (keys.has("status")) {
            throw keys.wrong("status", "is given together with connection; only one is allowed");
        }
        String name = keys.text("connection");
        connected(keys, "connection", name);
        return new Expectation.ExplainedConnection(name, keys.text("root"));
    }

    private void connections(Section keys, List<Expectation> all) {
        for (String name : keys.keys()) {
            connected(keys, name, name);
            all.add(new Expectation.ConnectionIs(name, outcome(keys, name)));
        }
    }

    private static ConnectionOutcome outcome(Section keys, String name) {
        if (keys.isObject(name)) {
            Section rejected = keys.section(name);
            rejected.only("rejected");
            return ConnectionOutcome.rejected((int) rejected.whole("rejected", 1, MAX_REASON));
        }
        ConnectionOutcome.State state = keys.named(name, keys.text(name), ConnectionOutcome.State.class);
        if (state == ConnectionOutcome.State.REJECTED) {
            throw keys.wrong(name, "has no reason; its code is required, for example { rejected = 8 }");
        }
        return ConnectionOutcome.of(state);
    }

    private void connected(Section keys, String key, String name) {
        if (!connections.contains(name)) {
            String known = connections.isEmpty()
                    ? "none"
                    : connections.stream().sorted().collect(Collectors.joining(", "));
            throw keys.wrong(key, "connect has no entry " + name + "; there are " + known);
        }
    }

    private void unfetched(Section keys, List<Expectation> all) {
        for (String adapter : keys.keys()) {
            known(keys, adapter);
            all.add(new Expectation.Unfetched(adapter, keys.text(adapter)));
        }
    }

    private void known(Section keys, String adapter) {
        if (!adapters.contains(adapter)) {
            throw keys.wrong(adapter, "there is no adapter " + adapter + "; there are " + String.join(", ", adapters));
        }
    }

    private void statistics(Section keys, List<Expectation> all) {
        for (String adapter : keys.keys()) {
            known(keys, adapter);
            Section statistics = keys.section(adapter);
            statistics.only(TaggedOutcome.FIGURES.toArray(String[]::new));
            statistics
                    .keys()
                    .forEach(figure -> all.add(new Expectation.FigureIs(adapter, figure, span(statistics, figure))));
        }
    }

    private void counters(Section keys, List<Expectation> all) {
        for (String adapter : keys.keys()) {
            known(keys, adapter);
            Section counters = keys.section(adapter);
            for (String counter : counters.keys()) {
                if (!MovedCounters.NAMES.contains(counter)) {
                    throw counters.wrong(
                            counter, "unknown counter; allowed are " + String.join(", ", MovedCounters.NAMES));
                }
                all.add(new Expectation.CounterIs(adapter, counter, span(counters, counter)));
            }
        }
    }
}
