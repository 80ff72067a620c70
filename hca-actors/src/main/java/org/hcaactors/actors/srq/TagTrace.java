// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.srq;

import java.util.OptionalLong;
import java.util.function.Function;
import org.hcaactors.actors.service.Services;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.tag.Match;
import org.hcaactors.adapter.tag.TagMatcher;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.tag.TagDelete;
import org.hcaactors.api.tag.TagOperation;
import org.hcaactors.api.tag.TagSnapshot;
import org.hcaactors.api.tag.TagSync;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.Stamp;

/** Writes what a tag list does into its adapter's trace; nothing where nothing is traced. */
record TagTrace(AdapterTrace trace, Element who) {
    TagTrace(int queue, Services services) {
        this(services.trace(), Element.sharedReceives(queue));
    }

    private long record(long cause, Function<Stamp, HcaEvent> event) {
        return trace.enabled() ? trace.record(cause, event) : 0;
    }

    /** The event, which its completion follows from. */
    long carriedOut(TagOperation operation, long serial, TagMatcher.Done done, TagMatcher now) {
        long synced = operation.handled().isPresent() ? synced(now.snapshot()) : 0;
        return switch (operation) {
            case TagAdd add -> {
                long workId = add.receive().id();
                boolean matches = !done.syncRequested();
                yield record(
                        synced,
                        at -> new HcaEvent.TagAdded(
                                at, trace.port(), who, workId, serial, add.tag(), add.mask(), matches));
            }
            case TagDelete delete -> {
                long gone = delete.receive().serial();
                yield record(synced, at -> new HcaEvent.TagRemoved(at, trace.port(), who, gone, done.isThere()));
            }
            case TagSync sync -> synced;
        };
    }

    private long synced(TagSnapshot now) {
        return record(0, at -> new HcaEvent.TagsSynced(at, trace.port(), who, now.handled(), now.unexpected()));
    }

    void completed(long cause, WorkCompletion completion, int queue) {
        Element at = Element.completionQueue(queue);
        record(cause, stamp -> new HcaEvent.Completed(stamp, trace.port(), at, completion));
    }

    void matched(Match match, int queuePair, long cause) {
        long workId = match.receive().id();
        switch (match) {
            case Match.Expected found -> {
                long serial = found.entry().serial();
                long tag = found.header().tag();
                record(cause, at -> new HcaEvent.TagMatched(at, trace.port(), who, queuePair, workId, serial, tag));
            }
            case Match.Unexpected missed ->
                unmatched(
                        workId,
                        queuePair,
                        cause,
                        OptionalLong.of(missed.header().tag()));
            case Match.Untagged other -> unmatched(workId, queuePair, cause, OptionalLong.empty());
            case Match.Written other -> unmatched(workId, queuePair, cause, OptionalLong.empty());
        }
    }

    private void unmatched(long workId, int queuePair, long cause, OptionalLong tag) {
        record(cause, at -> new HcaEvent.TagUnmatched(at, trace.port(), who, queuePair, workId, tag));
    }

    void givenBack(Match match) {
        long serial =
                match instanceof Match.Expected expected ? expected.entry().serial() : 0;
        boolean unexpected = match instanceof Match.Unexpected;
        record(
                0,
                at -> new HcaEvent.TagReturned(
                        at, trace.port(), who, match.receive().id(), serial, unexpected));
    }
}
