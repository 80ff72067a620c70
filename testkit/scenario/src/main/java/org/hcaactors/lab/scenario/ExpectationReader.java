// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

    private final Section file;
    private final Set<String> adapters;

    ExpectationReader(Section file, Set<String> adapters) {
        this.file = file;
        this.adapters = adapters;
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
            case "explained" -> {
                Section keys = entry.section(kind);
                keys.only("status", "root");
                all.add(new Expectation.Explained(keys.one("status", Status.class), keys.text("root")));
            }
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
