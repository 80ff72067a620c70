// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.srq;

import java.util.OptionalLong;
import java.util.function.Function;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.tag.TagMatch;
import org.hcaactors.adapter.tag.TagMatcher;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.tag.TagDelete;
import org.hcaactors.api.tag.TagOperation;
import org.hcaactors.api.tag.TagSnapshot;
import org.hcaactors.api.tag.TagSync;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.Stamp;

/** Recorder of the events of a tag list in its adapter's trace, if tracing is enabled. */
public record TagTrace(AdapterTrace trace, Element element) {
    /** @param queue number of the shared receive queue */
    public TagTrace(int queue, AdapterTrace trace) {
        this(trace, Element.sharedReceives(queue));
    }

    private long record(long cause, Function<Stamp, HcaEvent> event) {
        return trace.enabled() ? trace.record(cause, event) : 0;
    }

    /** Returns the id of the event that causes the completion. */
    long carriedOut(TagOperation operation, long serial, TagMatcher.Done done, TagMatcher now) {
        long synced = trace.enabled() && operation.handled().isPresent() ? synced(now.snapshot()) : 0;
        return switch (operation) {
            case TagAdd add -> {
                long workId = add.receive().id();
                boolean matches = !done.syncRequested();
                yield record(
                        synced,
                        at -> new HcaEvent.TagAdded(
                                at, trace.port(), element, workId, serial, add.tag(), add.mask(), matches));
            }
            case TagDelete delete -> {
                long removed = delete.receive().serial();
                yield record(synced, at -> new HcaEvent.TagRemoved(at, trace.port(), element, removed, done.found()));
            }
            case TagSync sync -> synced;
        };
    }

    private long synced(TagSnapshot now) {
        return record(0, at -> new HcaEvent.TagsSynced(at, trace.port(), element, now.handled(), now.unexpected()));
    }

    void completed(long cause, WorkCompletion completion, int queue) {
        Element at = Element.completionQueue(queue);
        record(cause, stamp -> new HcaEvent.Completed(stamp, trace.port(), at, completion));
    }

    void matched(TagMatch match, int queuePair, long cause) {
        long workId = match.receive().id();
        switch (match) {
            case TagMatch.Expected found -> {
                long serial = found.entry().serial();
                long tag = found.header().tag();
                record(cause, at -> new HcaEvent.TagMatched(at, trace.port(), element, queuePair, workId, serial, tag));
            }
            case TagMatch.Unexpected missed ->
                unmatched(
                        workId,
                        queuePair,
                        cause,
                        OptionalLong.of(missed.header().tag()));
            case TagMatch.Untagged other -> unmatched(workId, queuePair, cause, OptionalLong.empty());
            case TagMatch.Written other -> unmatched(workId, queuePair, cause, OptionalLong.empty());
        }
    }

    private void unmatched(long workId, int queuePair, long cause, OptionalLong tag) {
        record(cause, at -> new HcaEvent.TagUnmatched(at, trace.port(), element, queuePair, workId, tag));
    }

    void returned(TagMatch match) {
        long serial =
                match instanceof TagMatch.Expected expected ? expected.entry().serial() : 0;
        boolean unexpected = match instanceof TagMatch.Unexpected;
        record(
                0,
                at -> new HcaEvent.TagReturned(
                        at, trace.port(), element, match.receive().id(), serial, unexpected));
    }
}
