package org.hcaactors.lab.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.flow.Lineage;
import org.hcaactors.lab.flow.TraceRecorder;

/** Says why a request completed as it did, why an event was raised, and what a run that stands still waits for. */
public final class Explainer {
    private final Lineage lineage;

    private Explainer(List<TraceEvent> events) {
        lineage = Lineage.of(events);
    }

    /** @param events oldest first */
    public static Explainer of(List<TraceEvent> events) {
        return new Explainer(events);
    }

    /** Of what is recorded so far. */
    public static Explainer of(TraceRecorder trace) {
        return new Explainer(trace.events());
    }

    /** Why that request or receive completed so; the newest if the trace holds several alike, empty if it holds none. */
    public Optional<Explanation> explain(WorkCompletion completion) {
        return newest(HcaEvent.Completed.class, done -> isSame(done.completion(), completion));
    }

    /** The same where several adapters have queue pairs of that number. */
    public Optional<Explanation> explain(String adapter, WorkCompletion completion) {
        return newest(
                HcaEvent.Completed.class, done -> done.port().equals(adapter) && isSame(done.completion(), completion));
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
        Story story = new Story(lineage);
        return story.of(new Narrator(story).tell(event));
    }

    /**
     * Every request and receive that failed, in order, without those that were only flushed after another of their queue
     * pair had failed.
     */
    public List<Explanation> failures() {
        List<Explanation> failures = new ArrayList<>();
        for (TraceEvent event : lineage.events()) {
            boolean failed = event instanceof HcaEvent.Completed done
                    && !done.completion().isSuccess()
                    && done.completion().status() != Status.WR_FLUSH_ERR;
            if (failed) {
                failures.add(explain(event));
            }
        }
        return failures;
    }

    /** Every request without completion and every completion that nobody fetched, and what each waits for. */
    public List<Explanation> waiting() {
        return new StandStill(lineage).waiting();
    }
}
