// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.Map;
import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;

/** Facts from the trace about messages that matched a receive of a tag list. */
public final class TagFacts {
    /** By the event of the arrival. */
    private final Map<Long, Boolean> matched = TraceState.recent();

    /** By the event of the posting: a message that met an absent page is sent again, but not matched again. */
    private final Map<Long, Boolean> requests = TraceState.recent();

    void note(TraceEvent event, TraceState traceState) {
        switch (event) {
            case HcaEvent.TagMatched match -> {
                long arrival = match.stamp().cause();
                matched.put(arrival, true);
                posting(arrival, traceState).ifPresent(posting -> requests.put(posting, true));
            }
            case HcaEvent.TagUnmatched other ->
                posting(other.stamp().cause(), traceState).ifPresent(requests::remove);
            default -> {}
        }
    }

    private static Optional<Long> posting(long arrival, TraceState traceState) {
        return traceState.postingBehind(arrival).map(posted -> posted.stamp().id());
    }

    // rules tag-header, paging-fault
    /** Returns the length of the tag header that is removed from the packet of that arrival. */
    public int takenOff(FabricEvent.Delivered arrival, TraceState traceState) {
        long event = arrival.stamp().id();
        boolean isMatched = matched.containsKey(event)
                || arrival.packet().operation().starts()
                        && posting(event, traceState).map(requests::containsKey).orElse(false);
        return isMatched ? TagHeader.BYTES : 0;
    }

    /** True if the completion is of the tag list, not of a message. */
    static boolean isOfList(WorkCompletion completion) {
        return switch (completion.kind()) {
            case TM_ADD, TM_DEL, TM_SYNC -> true;
            default -> false;
        };
    }

    // rules tag-completion, rendezvous-incomplete
    /** True if a message arrived although its receive failed: the program has to fetch the data. */
    public static boolean isLeft(WorkCompletion completion) {
        return completion.status() == Status.TM_RNDV_INCOMPLETE
                && tagInfo(completion).matched();
    }

    private static TagInfo tagInfo(WorkCompletion completion) {
        return completion.tagging().orElse(TagInfo.NONE);
    }

    /** True if it is the second completion of a message that another one announced. */
    public static boolean isSecond(WorkCompletion completion) {
        return tagInfo(completion).dataValid() && !tagInfo(completion).matched();
    }

    /**
     * Returns the message length that a completion must report; empty if it reports none.
     *
     * @param work the request whose packets led to the completion
     */
    public static Optional<Long> lengthTold(WorkCompletion completion, WorkRequest work) {
        TagInfo info = tagInfo(completion);
        if (info.matched() && !info.dataValid()) {
            return Optional.empty();
        }
        boolean stripped = info.dataValid() && !(work instanceof RdmaRead);
        return Optional.of(work.lengthBytes() - (stripped ? TagHeader.BYTES : 0));
    }
}
