// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.memory.PageType;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.scenario.Expectation.Span;
import org.hcaactors.lab.scenario.Scenario.Verb;
import org.hcaactors.lab.scenario.ScenarioOutcome.Check;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.explain.Explanation;
import org.hcaactors.views.flow.Journey;
import org.hcaactors.views.flow.Journeys;
import org.hcaactors.views.flow.Wording;

/** Checks each expectation against the run. */
final class ExpectationChecker {
    private final Scenario scenario;
    private final List<ScenarioRun.Request> requests;
    private final Map<String, ScenarioConnection> wired;
    private final Map<String, TaggedTraffic> tagged;
    private final SortedMap<String, ConnectionOutcome> connections;
    private final List<TraceEvent> events;
    private final List<Journey> journeys;
    private final Explainer explainer;
    private final Map<Status, Long> completions;
    private final Map<Status, Long> receives;
    private final TaggedOutcome messages;
    private final SortedMap<String, SortedMap<String, Long>> counters;
    private final Optional<String> broken;

    ExpectationChecker(
            Scenario scenario,
            List<ScenarioRun.Request> requests,
            Map<String, ScenarioConnection> wired,
            Map<String, TaggedTraffic> tagged,
            ManagedConnections managed,
            List<TraceEvent> events,
            Map<Status, Long> completions,
            Map<Status, Long> receives,
            TaggedOutcome messages,
            SortedMap<String, SortedMap<String, Long>> counters,
            Optional<String> broken) {
        this.scenario = scenario;
        this.requests = requests;
        this.wired = wired;
        this.tagged = tagged;
        this.connections = managed.outcomes();
        this.events = events;
        this.journeys = Journeys.of(events);
        this.explainer = Explainer.of(events);
        this.completions = completions;
        this.receives = receives;
        this.messages = messages;
        this.counters = counters;
        this.broken = broken;
    }

    List<Check> checks() {
        return scenario.expectations().stream().map(this::check).toList();
    }

    private Check check(Expectation expected) {
        return switch (expected) {
            case Expectation.Completions counts -> counts(expected, counts.counts(), completions);
            case Expectation.Receives counts -> counts(expected, counts.counts(), receives);
            case Expectation.Sends counts -> counts(expected, counts.counts(), messages.sends());
            case Expectation.Arrivals counts -> counts(expected, counts.counts(), messages.arrivals());
            case Expectation.FigureIs figure ->
                span(
                        expected,
                        figure.count(),
                        messages.statistics()
                                .getOrDefault(figure.adapter(), new TreeMap<>())
                                .getOrDefault(figure.figure(), 0L));
            case Expectation.Refused counts -> counts(expected, counts.counts(), RefusedVerbs.in(events));
            case Expectation.Events counts -> events(counts);
            case Expectation.Pages counts -> pages(counts);
            case Expectation.Retransmissions span -> span(expected, span.count(), journeys(Journey::repeated));
            case Expectation.LostPackets span ->
                span(expected, span.count(), journeys(journey -> !journey.isDelivered()));
            case Expectation.CounterIs counter ->
                span(
                        expected,
                        counter.count(),
                        counters.getOrDefault(counter.adapter(), new TreeMap<>())
                                .getOrDefault(counter.counter(), 0L));
            case Expectation.ConnectionIs connection -> {
                ConnectionOutcome got = connections.getOrDefault(
                        connection.name(), ConnectionOutcome.of(ConnectionOutcome.State.WAITING));
                yield new Check(expected.words(), got.equals(connection.outcome()), got.toString());
            }
            case Expectation.Explained explained -> explained(explained);
            case Expectation.ExplainedConnection explained -> {
                String root = RequestedConnections.newest(events, explained.name())
                        .flatMap(event -> explainer.explain(event.stamp().id()))
                        .map(Explanation::root)
                        .orElse("it was not asked for");
                yield new Check(expected.words(), root.contains(explained.root()), root);
            }
            case Expectation.Unfetched unfetched -> unfetched(unfetched);
            case Expectation.OverBy limit -> {
                long last = events.isEmpty() ? 0 : events.getLast().stamp().nanos();
                yield new Check(
                        expected.words(),
                        last <= limit.time().toNanos(),
                        "the last event was at " + Wording.micros(last) + " us");
            }
            case Expectation.Simple simple -> simple(simple);
        };
    }

    private long journeys(Predicate<Journey> requested) {
        return journeys.stream().filter(requested).count();
    }

    private static Check span(Expectation expected, Span span, long got) {
        return new Check(expected.words(), span.allows(got), Long.toString(got));
    }

    private static <E extends Enum<E>> Check counts(Expectation expected, Map<E, Span> requested, Map<E, Long> got) {
        boolean listed = requested.entrySet().stream()
                .allMatch(each -> each.getValue().allows(got.getOrDefault(each.getKey(), 0L)));
        boolean others = got.keySet().stream().allMatch(requested::containsKey);
        return new Check(expected.words(), listed && others, got.isEmpty() ? "none" : got.toString());
    }

    private Check events(Expectation.Events expected) {
        Map<AsyncEvent.Kind, Long> got = new EnumMap<>(AsyncEvent.Kind.class);
        for (TraceEvent event : events) {
            if (event instanceof HcaEvent.Raised raised) {
                got.merge(raised.event().kind(), 1L, Long::sum);
            }
        }
        boolean holds = expected.counts().entrySet().stream()
                .allMatch(each -> each.getValue().allows(got.getOrDefault(each.getKey(), 0L)));
        return new Check(expected.words(), holds, got.isEmpty() ? "none" : got.toString());
    }

    private Check pages(Expectation.Pages expected) {
        Map<PageType, Long> got = new EnumMap<>(PageType.class);
        for (TraceEvent event : events) {
            if (event instanceof HcaEvent.PagesAllocated taken) {
                got.merge(taken.pages().type(), taken.pages().entries(), Long::sum);
            }
        }
        boolean holds = expected.counts().entrySet().stream()
                .allMatch(each -> each.getValue().allows(got.getOrDefault(each.getKey(), 0L)));
        return new Check(expected.words(), holds, got.isEmpty() ? "none" : got.toString());
    }

    private Check explained(Expectation.Explained expected) {
        for (TraceEvent event : events) {
            if (status(event).filter(expected.status()::equals).isPresent()) {
                Optional<Explanation> reason = explainer.explain(event.stamp().id());
                String root = reason.map(Explanation::root).orElse("nothing");
                return new Check(expected.words(), root.contains(expected.root()), root);
            }
        }
        return new Check(expected.words(), false, "no completion has this status");
    }

    private Check unfetched(Expectation.Unfetched expected) {
        Optional<String> root = explainer.waiting().stream()
                .filter(reason -> reason.about() instanceof Explanation.Subject.Unfetched queue
                        && queue.adapter().equals(expected.adapter()))
                .map(Explanation::root)
                .findFirst();
        return new Check(
                expected.words(),
                root.filter(words -> words.contains(expected.root())).isPresent(),
                root.orElse("no completion waits in a queue"));
    }

    /** Returns the status that the program received. */
    private static Optional<Status> status(TraceEvent event) {
        return switch (event) {
            case HcaEvent.Completed done -> Optional.of(done.completion().status());
            case HcaEvent.InlineCopyRefused refused ->
                Optional.of(refused.completion().status());
            default -> Optional.empty();
        };
    }

    private Check simple(Expectation.Simple expected) {
        return switch (expected) {
            case EXACTLY_ONCE -> exactlyOnce();
            case NO_STALL -> noStall();
            case SAME_BYTES -> sameBytes();
        };
    }

    private Check noStall() {
        List<Explanation> waiting = explainer.waiting().stream()
                .filter(one -> !(one.about() instanceof Explanation.Subject.Unfetched))
                .toList();
        long onTheirWay = messages.sends().getOrDefault(TaggedOutcome.SendEnd.WAITING, 0L);
        String got = waiting.stream()
                .findFirst()
                .map(one -> one.what() + ": " + one.root())
                .orElse(onTheirWay == 0 ? "no message waits" : "outstanding messages with tags: " + onTheirWay);
        return new Check(Expectation.Simple.NO_STALL.words(), waiting.isEmpty() && onTheirWay == 0, got);
    }

    /** The invariants check each event; this compares the totals. */
    private Check exactlyOnce() {
        long delivered = requests.stream()
                .filter(request -> request.job().verb().takesReceive()
                        && request.job().line().transport().isReliable())
                .flatMap(request -> request.completion().stream())
                .filter(completion -> completion.isSuccess())
                .count();
        long received = wired.values().stream()
                .filter(line -> line.line.transport().isReliable())
                .flatMap(line -> line.received().stream())
                .filter(completion -> completion.isSuccess())
                .count();
        boolean polled = wired.values().stream().allMatch(line -> line.line.polled());
        String got = broken.orElse(delivered + " messages delivered, " + received + " received");
        // A message may have arrived although its acknowledgement was lost.
        return new Check(
                Expectation.Simple.EXACTLY_ONCE.words(), broken.isEmpty() && (!polled || received >= delivered), got);
    }

    private Check sameBytes() {
        List<String> different = new ArrayList<>();
        for (ScenarioRun.Request request : requests) {
            boolean copies = request.job().verb() == Verb.WRITE || request.job().verb() == Verb.READ;
            boolean done = request.completion()
                    .map(completion -> completion.isSuccess())
                    .orElse(false);
            ScenarioConnection line = wired.get(request.job().line().name());
            if (copies && done && line != null && !line.isCopied(request.job())) {
                different.add(
                        request.job().verb() + " on " + request.job().line().name());
            }
        }
        tagged.values().forEach(traffic -> traffic.different().ifPresent(different::add));
        return new Check(
                Expectation.Simple.SAME_BYTES.words(),
                different.isEmpty(),
                different.isEmpty() ? "the same" : "the bytes differ after " + different.getFirst());
    }
}
