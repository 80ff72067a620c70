// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.TestkitEvent;
import org.hcaactors.views.flow.Lineage;
import org.hcaactors.views.flow.TraceRecorder;

/** Says why a request completed as it did, why an event was raised, and what a run that stands still waits for. */
public final class Explainer {
    /** Explanations of one call at most. */
    public static final int MAX = 100;

    /** The newest events of a recorder that are looked at. */
    public static final int MAX_EVENTS = 1 << 18;

    private final Lineage lineage;

    private Explainer(List<TraceEvent> events) {
        lineage = Lineage.of(events);
    }

    /** @param events oldest first */
    public static Explainer of(List<TraceEvent> events) {
        return new Explainer(events);
    }

    /** Of the newest {@value #MOST_EVENTS} events that are recorded so far. */
    public static Explainer of(TraceRecorder trace) {
        return newest(trace.events());
    }

    /** Of the newest {@value #MOST_EVENTS} of them. */
    public static Explainer newest(List<TraceEvent> events) {
        return new Explainer(events.subList(Math.max(0, events.size() - MAX_EVENTS), events.size()));
    }

    /** Why that request or receive completed so; the newest if the trace holds several alike, empty if it holds none. */
    public Optional<Explanation> explain(WorkCompletion completion) {
        return newest(
                HcaEvent.class,
                event -> ended(event).filter(end -> isSame(end, completion)).isPresent());
    }

    /** The same where several adapters have queue pairs of that number. */
    public Optional<Explanation> explain(String adapter, WorkCompletion completion) {
        return newest(
                HcaEvent.class,
                event -> event.port().equals(adapter)
                        && ended(event).filter(end -> isSame(end, completion)).isPresent());
    }

    /** What the program gets there, or would if nothing kept what it carries from being copied. */
    private static Optional<WorkCompletion> ended(TraceEvent event) {
        return switch (event) {
            case HcaEvent.Completed done -> Optional.of(done.completion());
            case HcaEvent.InlineCopyRefused refused -> Optional.of(refused.completion());
            default -> Optional.empty();
        };
    }

    /** All but the timestamp, which the queue adds. */
    private static boolean isSame(WorkCompletion traced, WorkCompletion seen) {
        return traced.workId() == seen.workId()
                && traced.qpNumber() == seen.qpNumber()
                && traced.status() == seen.status()
                && traced.kind() == seen.kind();
    }

    /** Why that event was raised; the newest if the trace holds several alike, empty if it holds none. */
    public Optional<Explanation> explain(AsyncEvent event) {
        return newest(HcaEvent.Raised.class, raised -> raised.event().equals(event));
    }

    public Optional<Explanation> explain(String adapter, AsyncEvent event) {
        return newest(
                HcaEvent.Raised.class,
                raised -> raised.port().equals(adapter) && raised.event().equals(event));
    }

    /** Why the event of that number happened; empty if the trace does not hold it. */
    public Optional<Explanation> explain(long eventId) {
        return lineage.event(eventId).map(this::explain);
    }

    private <E extends HcaEvent> Optional<Explanation> newest(Class<E> kind, Predicate<E> condition) {
        List<TraceEvent> events = lineage.events();
        for (int i = events.size() - 1; i >= 0; i--) {
            if (kind.isInstance(events.get(i)) && condition.test(kind.cast(events.get(i)))) {
                return Optional.of(explain(events.get(i)));
            }
        }
        return Optional.empty();
    }

    private Explanation explain(TraceEvent event) {
        ExplanationBuilder story = new ExplanationBuilder(lineage);
        return story.of(new Explanation.Subject.Happened(event), new Narrator(story).tell(event));
    }

    /**
     * Requests and receives that failed, and verbs that were refused on purpose, the first {@value #MOST} in order, without requests
     * that were only flushed after another of their queue pair had failed.
     */
    public List<Explanation> failures() {
        List<Explanation> failures = new ArrayList<>();
        for (TraceEvent event : lineage.events()) {
            if (isFailure(event) && failures.size() < MAX) {
                failures.add(explain(event));
            }
        }
        return failures;
    }

    private static boolean isFailure(TraceEvent event) {
        return event instanceof TestkitEvent bench && bench.isOfVerb()
                || ended(event)
                        .filter(end -> !end.isSuccess() && end.status() != Status.WR_FLUSH_ERR)
                        .isPresent();
    }

    /** Requests without completion and completions that nobody fetched, at most {@value #MOST}, and what each waits for. */
    public List<Explanation> waiting() {
        return new StallAnalysis(lineage).waiting();
    }

    /**
     * Messages that a program posted again although their peer had received them, a sentence each: with the same id and the same bytes. None where
     * more than a third of its messages are like others.
     */
    public List<String> postedAgain() {
        return new RepeatedMessages(lineage).sentences();
    }

    /** Requests for which a page was absent, here or at their peer, in the order in which they found out. */
    public List<HcaEvent.WorkPosted> waitedForPages() {
        return lineage.events().stream()
                .filter(HcaEvent.PageFaultRaised.class::isInstance)
                .flatMap(fault -> lineage.posting(fault).stream())
                .distinct()
                .toList();
    }

    /** Requests that have not come to an end, oldest first: neither completed nor dropped, nor acknowledged where they ask for no completion. */
    public List<HcaEvent.WorkPosted> openRequests() {
        return new StallAnalysis(lineage).open();
    }
}
