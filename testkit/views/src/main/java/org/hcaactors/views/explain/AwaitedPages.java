// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.PageFaultKind;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.Lineage;
import org.hcaactors.views.flow.PageWording;
import org.hcaactors.views.flow.TestkitEvent;
import org.hcaactors.views.flow.Wording;

/** Explains a request's page faults, at the requester and its peer: how long each took, and why the pages were absent. */
final class AwaitedPages {
    /** Maximum page faults that are explained. */
    private static final int MAX_EXPLAINED = 4;

    private final ExplanationBuilder explanation;
    private final Lineage lineage;

    /** Page faults of the request, oldest first. */
    private final List<HcaEvent.PageFaultRaised> faults;

    AwaitedPages(ExplanationBuilder explanation, HcaEvent.WorkPosted posted, TraceEvent done) {
        this.explanation = explanation;
        this.lineage = explanation.lineage();
        faults = lineage.events().stream()
                .filter(HcaEvent.PageFaultRaised.class::isInstance)
                .map(HcaEvent.PageFaultRaised.class::cast)
                .filter(fault -> fault.stamp().id() > posted.stamp().id()
                        && fault.stamp().id() < done.stamp().id()
                        && isFor(posted, fault))
                .toList();
    }

    /** Explains the faults from the last to the first, which is nearest to the root cause. */
    void explain() {
        if (faults.size() > MAX_EXPLAINED) {
            explanation.say("later, " + (faults.size() - MAX_EXPLAINED) + " more waits for pages");
        }
        faults.stream().limit(MAX_EXPLAINED).toList().reversed().forEach(this::explain);
    }

    /** True if a page fault failed, and therefore the request. */
    boolean failed() {
        return faults.stream()
                .anyMatch(fault -> !lineage.consequences(fault, HcaEvent.PageFaultFailed.class)
                        .isEmpty());
    }

    /** A page fault of a send queue delays its current request and those behind it. */
    private boolean isFor(HcaEvent.WorkPosted posted, HcaEvent.PageFaultRaised fault) {
        Optional<HcaEvent.WorkPosted> own = lineage.posting(fault);
        if (own.isPresent()) {
            return own.get().equals(posted);
        }
        boolean asks = fault.kind() == PageFaultKind.GATHER || fault.kind() == PageFaultKind.RESPONSE;
        return asks && fault.port().equals(posted.port()) && fault.element().equals(posted.element());
    }

    /**
     * Explains a page fault: {@code b/qp17 waited 200.125 us for 8192 bytes at 0x7f0000001000 of key 0x00000200, which a peer
     * writes: ...}.
     */
    private void explain(HcaEvent.PageFaultRaised fault) {
        explanation.show(fault);
        Optional<? extends HcaEvent> answer = answer(fault);
        String lasted = answer.map(end -> {
                    explanation.show(end);
                    return " waited "
                            + Wording.micros(end.stamp().nanos() - fault.stamp().nanos()) + " us for ";
                })
                .orElse(" waits for ");
        explanation.say(fault.port() + "/" + fault.element() + lasted + PageWording.requested(fault)
                + failureText(fault, answer) + previousInvalidationText(fault));
    }

    private Optional<? extends HcaEvent> answer(HcaEvent.PageFaultRaised fault) {
        List<HcaEvent.PageFaultFailed> failed = lineage.consequences(fault, HcaEvent.PageFaultFailed.class);
        return failed.isEmpty()
                ? lineage.consequences(fault, HcaEvent.PagesMapped.class).stream()
                        .findFirst()
                : failed.stream().findFirst();
    }

    private String failureText(HcaEvent.PageFaultRaised fault, Optional<? extends HcaEvent> answer) {
        return answer.map(end -> switch (end) {
                    case HcaEvent.PageFaultFailed failed -> ", without success: " + ReasonTexts.of(failed.reason());
                    case HcaEvent.PagesMapped mapped
                    when mapped.contended() -> ", without success: " + contentionText(fault, mapped);
                    default -> "";
                })
                .orElse("");
    }

    // rule paging-contention
    private String contentionText(HcaEvent.PageFaultRaised fault, HcaEvent.PagesMapped nothing) {
        return lineage.event(nothing.stamp().otherCause())
                .map(invalidation -> {
                    explanation.show(invalidation);
                    boolean before = invalidation.stamp().id() < fault.stamp().id();
                    return "the host invalidated pages of " + nothing.element() + " at "
                            + Wording.micros(invalidation.stamp().nanos())
                            + (before
                                    ? " us, and this invalidation was not complete yet"
                                    : " us, during the page fault");
                })
                .orElse("an invalidation was in progress");
    }

    private String previousInvalidationText(HcaEvent.PageFaultRaised fault) {
        if (isFirst(fault)) {
            return "; its adapter had not mapped any of these pages before";
        }
        return lineage.event(fault.stamp().otherCause())
                .filter(HcaEvent.PagesInvalidated.class::isInstance)
                .map(HcaEvent.PagesInvalidated.class::cast)
                .map(this::invalidationText)
                .orElse("");
    }

    /** Returns {@code ; its host had evicted 4096 bytes at 0x7f0000001000, 1 page of key 0x00000200, at 12.000 us}. */
    private String invalidationText(HcaEvent.PagesInvalidated invalidated) {
        explanation.show(invalidated);
        benchText(invalidated).ifPresent(explanation::show);
        String what = switch (invalidated.reason()) {
            case EVICTED -> "its host had evicted";
            case UNMAPPED -> "its process had unmapped";
            case PROCESS_ENDED -> "its process had ended, which unmapped";
        };
        return "; %s %d bytes at 0x%x,%s at %s us%s"
                .formatted(
                        what,
                        invalidated.lengthBytes(),
                        invalidated.address(),
                        PageWording.lost(invalidated)
                                .map(pages -> " " + pages + " of " + invalidated.element() + ",")
                                .orElse(""),
                        Wording.micros(invalidated.stamp().nanos()),
                        benchText(invalidated)
                                .map(done -> ", which the testkit injected: " + done.what())
                                .orElse(""));
    }

    /** True if these pages were never mapped before; known only if the trace contains the region's registration. */
    private boolean isFirst(HcaEvent.PageFaultRaised fault) {
        boolean knowsAll = explanation
                .lastBefore(
                        fault,
                        HcaEvent.Registered.class,
                        key -> key.port().equals(fault.port()) && key.element().number() == fault.key())
                .isPresent();
        return knowsAll
                && explanation
                        .lastBefore(
                                fault,
                                HcaEvent.PagesMapped.class,
                                mapped -> mapped.port().equals(fault.port())
                                        && mapped.element().number() == fault.key()
                                        && mapped.address() < fault.address() + fault.lengthBytes()
                                        && fault.address() < mapped.address() + mapped.lengthBytes()
                                        && !mapped.contended())
                        .isEmpty();
    }

    private Optional<TestkitEvent> benchText(HcaEvent.PagesInvalidated invalidated) {
        return explanation
                .lastBefore(
                        invalidated,
                        TestkitEvent.class,
                        done -> done.port().equals(invalidated.port())
                                && done.what().startsWith("evict "))
                .filter(done -> done.stamp().nanos() == invalidated.stamp().nanos());
    }
}
