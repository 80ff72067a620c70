// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.RequestRefused;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.views.flow.Wording;

/**
 * Explains why the shared receive queue that an XRC request names is unusable: it was destroyed, is in another XRC domain, or
 * failed.
 */
final class SrqHistory {
    private final ExplanationBuilder explanation;

    SrqHistory(ExplanationBuilder explanation) {
        this.explanation = explanation;
    }

    // rule xrc-unknown
    /** Returns {@code , since 3.039 us, when it was destroyed}; empty for another reason, or if the trace knows no such queue. */
    String words(HcaEvent refusal, Reason reason) {
        if (!(reason instanceof RequestRefused.NoSuchSharedReceives unknown)) {
            return "";
        }
        Element queue = Element.sharedReceives(unknown.number());
        Optional<HcaEvent.XrcSrqCreated> made = made(refusal, queue);
        return made.map(named -> past(refusal, named)).orElse(", and no XRC shared receive queue ever had that number");
    }

    private Optional<HcaEvent.XrcSrqCreated> made(HcaEvent refusal, Element queue) {
        return explanation.lastBefore(
                refusal,
                HcaEvent.XrcSrqCreated.class,
                named -> named.port().equals(refusal.port()) && named.element().equals(queue));
    }

    private String past(HcaEvent refusal, HcaEvent.XrcSrqCreated made) {
        explanation.show(made);
        return explanation
                .lastBefore(
                        refusal,
                        HcaEvent.XrcSrqDestroyed.class,
                        destroyed -> destroyed.port().equals(made.port())
                                && destroyed.element().equals(made.element()))
                .map(destroyed -> {
                    explanation.show(destroyed);
                    return ", since %s us, when it was destroyed"
                            .formatted(Wording.micros(destroyed.stamp().nanos()));
                })
                .orElseGet(() -> elsewhere(refusal, made));
    }

    private String elsewhere(HcaEvent refusal, HcaEvent.XrcSrqCreated made) {
        return explanation
                .lastBefore(
                        refusal,
                        HcaEvent.XrcTargetCreated.class,
                        target -> target.port().equals(refusal.port())
                                && target.element().equals(refusal.element()))
                .filter(target -> target.xrcDomain() != made.xrcDomain())
                .map(target -> {
                    explanation.show(target);
                    return ": %s is of XRC domain %d, and %s of XRC domain %d"
                            .formatted(made.element(), made.xrcDomain(), target.element(), target.xrcDomain());
                })
                .orElse("");
    }

    // rule xrc-queue-fails
    /** Returns the error event of the queue or of its completion queue; empty for another reason. */
    Optional<HcaEvent.Raised> failure(HcaEvent refusal, Reason reason) {
        if (!(reason instanceof RequestRefused.SharedReceivesFailed failed)) {
            return Optional.empty();
        }
        Element queue = Element.sharedReceives(failed.number());
        return made(refusal, queue)
                .flatMap(named -> explanation.lastBefore(
                        refusal,
                        HcaEvent.Raised.class,
                        raised -> raised.port().equals(refusal.port()) && isBehind(raised.event(), named)));
    }

    private static boolean isBehind(AsyncEvent event, HcaEvent.XrcSrqCreated queue) {
        return event.kind() == AsyncEvent.Kind.SRQ_ERR
                        && event.element() == queue.element().number()
                || event.kind() == AsyncEvent.Kind.CQ_ERR && event.element() == queue.cq();
    }
}
