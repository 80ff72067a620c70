// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.flight;

import java.util.List;
import java.util.Optional;
import jdk.jfr.Event;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.api.completion.Status;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.Stamp;
import org.jspecify.annotations.Nullable;

/**
 * Translator of trace events to events of the Flight Recorder.
 *
 * <p>Threads: any.
 */
final class FlightWriter {
    /** One event of each kind that is derived from the trace. */
    private static final List<Event> KINDS = List.of(
            new RequestEvent(),
            new RequestFailedEvent(),
            new QueuePairStateEvent(),
            new RetransmissionEvent(),
            new BackOffEvent(),
            new AdapterNoticeEvent(),
            new SessionEvent(),
            new PageFaultEvent(),
            new PacketLostEvent(),
            new PacketIgnoredEvent(),
            new PacketSentEvent(),
            new PacketDeliveredEvent());

    private record Failure(long event, Reason reason) {}

    private final OpenEvents<RequestEvent> requests = new OpenEvents<>(FlightSink.MAX_REQUESTS);
    private final OpenEvents<PageFaultEvent> faults = new OpenEvents<>(FlightSink.MAX_PAGE_FAULTS);

    /** The latest failure. One is enough: a completion with an error is recorded in the turn that failed. */
    private volatile @Nullable Failure failure;

    /** True if a recording has one of the kinds enabled. */
    static boolean isEnabled() {
        return KINDS.stream().anyMatch(Event::isEnabled);
    }

    /** Forgets open events: the sink is disabled and would miss their ends. */
    void forget() {
        requests.forget();
        faults.forget();
    }

    void state() {
        RecorderStateEvent.of(requests, faults);
    }

    void record(FabricEvent event) {
        switch (event) {
            case FabricEvent.Sent sent -> PacketSentEvent.of(sent.port(), sent.packet());
            case FabricEvent.Delivered delivered -> PacketDeliveredEvent.of(delivered.port(), delivered.packet());
            case FabricEvent.Dropped lost -> PacketLostEvent.of(lost.port(), lost.packet(), "DROPPED", lost.reason());
            case FabricEvent.Corrupted lost -> PacketLostEvent.of(lost.port(), lost.packet(), "CORRUPTED", lost.what());
            case FabricEvent.Disturbed late -> {}
            case FabricEvent.Forged forged -> {}
        }
    }

    void record(HcaEvent event) {
        switch (event) {
            case HcaEvent.WorkPosted posted -> posted(posted);
            case HcaEvent.Completed ended -> completed(ended);
            case HcaEvent.RequestDropped dropped -> ended(dropped.stamp().cause(), "DROPPED", dropped.stamp());
            case HcaEvent.Failed failed -> failure = new Failure(failed.stamp().id(), failed.reason());
            case HcaEvent.GaveUp failed -> failure = new Failure(failed.stamp().id(), failed.reason());
            case HcaEvent.StateChanged change -> QueuePairStateEvent.of(change);
            case HcaEvent.Retransmitting back -> RetransmissionEvent.of(back);
            case HcaEvent.BackedOff off -> BackOffEvent.of(off);
            case HcaEvent.Raised raised -> AdapterNoticeEvent.of(raised);
            case HcaEvent.SessionChanged change -> SessionEvent.of(change);
            case HcaEvent.Discarded ignored ->
                PacketIgnoredEvent.of(
                        ignored.port(),
                        ignored.packet(),
                        ignored.element().toString(),
                        ReasonTexts.of(ignored.reason()));
            case HcaEvent.PageFaultRaised raised -> raised(raised);
            case HcaEvent.PagesMapped mapped ->
                faults.ended(mapped.stamp().cause()).ifPresent(fault -> fault.mapped(mapped));
            case HcaEvent.PageFaultFailed failed ->
                faults.ended(failed.stamp().cause()).ifPresent(fault -> fault.failed(failed));
            default -> {}
        }
    }

    /** Only signaled requests: the trace has no event for the end of the others. */
    private void posted(HcaEvent.WorkPosted posted) {
        if (posted.signaled() && new RequestEvent().isEnabled()) {
            requests.begun(posted.stamp().id(), RequestEvent.begun(posted));
        }
    }

    private void raised(HcaEvent.PageFaultRaised raised) {
        if (new PageFaultEvent().isEnabled()) {
            faults.begun(raised.stamp().id(), PageFaultEvent.begun(raised));
        }
    }

    private void completed(HcaEvent.Completed ended) {
        Status status = ended.completion().status();
        ended(ended.stamp().otherCause(), status.name(), ended.stamp());
        if (status != Status.SUCCESS && status != Status.WR_FLUSH_ERR) {
            RequestFailedEvent.of(ended, reason(ended.stamp().cause()));
        }
    }

    private void ended(long posting, String how, Stamp at) {
        if (posting != 0) {
            requests.ended(posting).ifPresent(request -> request.ends(how, at));
        }
    }

    private String reason(long cause) {
        return Optional.ofNullable(failure)
                .filter(last -> last.event == cause)
                .map(last -> ReasonTexts.of(last.reason))
                .orElse("");
    }
}
