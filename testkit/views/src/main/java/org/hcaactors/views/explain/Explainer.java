// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.hcaactors.adapter.flow.ConnectionStep;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.Lineage;
import org.hcaactors.views.flow.TestkitEvent;
import org.hcaactors.views.flow.TraceRecorder;

/**
 * Explains why a request completed as it did, why an event was raised, why a connection was not made or ended, and what a
 * stalled run waits for.
 */
public final class Explainer {
    /** Maximum explanations of one call. */
    public static final int MAX = 100;

    /** Maximum events of a recorder that are analyzed, the newest ones. */
    public static final int MAX_EVENTS = 1 << 18;

    private final Lineage lineage;

    private Explainer(List<TraceEvent> events) {
        lineage = Lineage.of(events);
    }

    /**
     * Returns an explainer of these events.
     *
     * @param events events, oldest first
     */
    public static Explainer of(List<TraceEvent> events) {
        return new Explainer(events);
    }

    /** Returns an explainer of the newest {@value #MAX_EVENTS} events recorded so far. */
    public static Explainer of(TraceRecorder trace) {
        return newest(trace.events());
    }

    /** Returns an explainer of the newest {@value #MAX_EVENTS} of these events. */
    public static Explainer newest(List<TraceEvent> events) {
        return new Explainer(events.subList(Math.max(0, events.size() - MAX_EVENTS), events.size()));
    }

    /** Explains the completion of a request or receive: of the newest one if the trace has several; empty if it has none. */
    public Optional<Explanation> explain(WorkCompletion completion) {
        return newest(
                HcaEvent.class,
                event -> ended(event).filter(end -> isSame(end, completion)).isPresent());
    }

    /** Explains a completion of that adapter, if several adapters have queue pairs of that number. */
    public Optional<Explanation> explain(String adapter, WorkCompletion completion) {
        return newest(
                HcaEvent.class,
                event -> event.port().equals(adapter)
                        && ended(event).filter(end -> isSame(end, completion)).isPresent());
    }

    /** Returns the completion that the program receives, or would have received if its inline data could be copied. */
    private static Optional<WorkCompletion> ended(TraceEvent event) {
        return switch (event) {
            case HcaEvent.Completed done -> Optional.of(done.completion());
            case HcaEvent.InlineCopyRefused refused -> Optional.of(refused.completion());
            default -> Optional.empty();
        };
    }

    /** Compares everything but the timestamp, which the queue adds. */
    private static boolean isSame(WorkCompletion traced, WorkCompletion seen) {
        return traced.workId() == seen.workId()
                && traced.qpNumber() == seen.qpNumber()
                && traced.status() == seen.status()
                && traced.kind() == seen.kind();
    }

    /** Explains why that event was raised: the newest one if the trace holds several, empty if it holds none. */
    public Optional<Explanation> explain(AsyncEvent event) {
        return newest(HcaEvent.Raised.class, raised -> raised.event().equals(event));
    }

    public Optional<Explanation> explain(String adapter, AsyncEvent event) {
        return newest(
                HcaEvent.Raised.class,
                raised -> raised.port().equals(adapter) && raised.event().equals(event));
    }

    /** Explains the event of that id; empty if the trace does not hold it. */
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
        ExplanationBuilder explanation = new ExplanationBuilder(lineage);
        return explanation.of(new Explanation.Subject.Happened(event), new Narrator(explanation).tell(event));
    }

    /**
     * Explains requests and receives that failed, connections that were not made, verbs that were refused, and processes
     * that crashed or were killed: the first {@value #MAX} in order, without requests that were only flushed after another one of their queue pair had failed.
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
        return event instanceof TestkitEvent bench && (bench.isRefusal() || bench.isEnd())
                || event instanceof HcaEvent.ConnectionChanged changed && isNotMade(changed)
                || ended(event)
                        .filter(end -> !end.isSuccess() && end.status() != Status.WR_FLUSH_ERR)
                        .isPresent();
    }

    private static boolean isNotMade(HcaEvent.ConnectionChanged changed) {
        return changed.step() == ConnectionStep.REJECTED_BY_PEER || changed.step() == ConnectionStep.UNANSWERED;
    }

    /**
     * Explains requests without completion, completions that were not polled, and connections that are not made yet, at most
     * {@value #MAX}, with what each waits for.
     */
    public List<Explanation> waiting() {
        List<Explanation> waiting = new ArrayList<>(new StallAnalysis(lineage).waiting());
        waiting.addAll(new OpenConnections(lineage).waiting());
        return waiting.subList(0, Math.min(MAX, waiting.size()));
    }

    /**
     * Explains packets that a queue pair ignored without anyone's notice, as UD and UC have no acknowledgements: by queue pair and
     * reason, a few.
     */
    public List<Explanation> ignored() {
        return new IgnoredPackets(lineage).explanations();
    }

    /** Returns a few sentences: how many packets were lost by which cause, and which requests were sent again. */
    public List<String> losses() {
        return new Losses(lineage).sentences();
    }

    /**
     * Returns a sentence for each message that a program posted again, with the same id and bytes, although its peer had
     * received it. Empty if more than a third of the messages are repetitions.
     */
    public List<String> postedAgain() {
        return new RepeatedMessages(lineage).sentences();
    }

    /** Returns requests that met an absent page, at the requester or its peer, in the order of their faults. */
    public List<HcaEvent.WorkPosted> waitedForPages() {
        return lineage.events().stream()
                .filter(HcaEvent.PageFaultRaised.class::isInstance)
                .flatMap(fault -> lineage.posting(fault).stream())
                .distinct()
                .toList();
    }

    /** Returns requests that have not ended, oldest first: neither completed nor dropped, nor, if unsignaled, acknowledged. */
    public List<HcaEvent.WorkPosted> openRequests() {
        return new StallAnalysis(lineage).open();
    }
}
