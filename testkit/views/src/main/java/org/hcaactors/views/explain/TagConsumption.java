// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.NoReceive;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.views.flow.Lineage;
import org.hcaactors.views.flow.Wording;

/** Explains receives, operations on tag lists, and the messages that matched receives of a list. */
final class TagConsumption {
    private final ExplanationBuilder explanation;

    TagConsumption(ExplanationBuilder explanation) {
        this.explanation = explanation;
    }

    /** Returns {@code receive 3 of a/qp17}, {@code operation 8 of a/cq1 (TM_DEL)}. */
    static String name(HcaEvent.Completed done) {
        WorkCompletion completion = done.completion();
        CompletionKind kind = completion.kind();
        boolean ofList =
                kind == CompletionKind.TM_ADD || kind == CompletionKind.TM_DEL || kind == CompletionKind.TM_SYNC;
        return ofList
                ? "operation %d of %s/%s (%s)".formatted(completion.workId(), done.port(), done.element(), kind)
                : "receive " + completion.workId() + " of " + done.port() + "/qp" + completion.qpNumber();
    }

    // rule tag-unexpected
    /**
     * Returns {@code , and srq1 lists none for tag 0x2} if a message found no receive at a tag-matching queue; empty for other
     * queues.
     */
    static String words(Lineage lineage, HcaEvent.Failed failed) {
        if (failed.reason() != NoReceive.SHARED_QUEUE_IS_EMPTY) {
            return "";
        }
        return queue(lineage, failed)
                .flatMap(queue -> lineage.cause(failed)
                        .filter(FabricEvent.class::isInstance)
                        .map(FabricEvent.class::cast)
                        .flatMap(arrival -> TagHeader.read(
                                ByteBuffer.wrap(arrival.packet().payload().toArray())))
                        .filter(header -> header.operation() == TagHeader.Operation.EAGER
                                || header.operation() == TagHeader.Operation.RENDEZVOUS)
                        .map(header -> ", and %s lists none for tag 0x%x".formatted(queue, header.tag())))
                .orElse("");
    }

    /** Returns its shared receive queue, if that is known to match tags. */
    private static Optional<Element> queue(Lineage lineage, HcaEvent.Failed failed) {
        Optional<Element> queue = lineage.events().stream()
                .filter(event -> event instanceof HcaEvent.QueuePairCreated created
                        && created.port().equals(failed.port())
                        && created.element().equals(failed.element())
                        && created.srq().isPresent())
                .map(event -> Element.sharedReceives(
                        ((HcaEvent.QueuePairCreated) event).srq().getAsInt()))
                .findFirst();
        return queue.filter(srq -> lineage.events().stream()
                .anyMatch(event -> event instanceof HcaEvent inside
                        && (inside instanceof HcaEvent.TagAdded || inside instanceof HcaEvent.TagUnmatched)
                        && inside.port().equals(failed.port())
                        && inside.element().equals(srq)));
    }

    // rule tag-delete-race
    /** Explains which message had matched the receive before it could be deleted. */
    void faster(HcaEvent.TagRemoved late) {
        Wording.of(late).ifPresent(words -> explanation.say(late.port() + ": " + words));
        explanation
                .lastBefore(
                        late,
                        HcaEvent.TagMatched.class,
                        match -> match.port().equals(late.port())
                                && match.element().equals(late.element())
                                && match.serial() == late.serial())
                .ifPresent(match -> {
                    explanation.show(match);
                    String requestText = explanation
                            .lineage()
                            .posting(match)
                            .map(posted -> {
                                explanation.show(posted);
                                return ", of " + Narrator.request(posted);
                            })
                            .orElse("");
                    explanation.say("%s/%s: tag 0x%x had matched receive %d at %s us%s"
                            .formatted(
                                    match.port(),
                                    match.element(),
                                    match.tag(),
                                    match.workId(),
                                    Wording.micros(match.stamp().nanos()),
                                    requestText));
                });
    }
}
