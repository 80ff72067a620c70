// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.HcaEvent.FaultKind;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.Lineage;
import org.hcaactors.views.flow.PageWording;
import org.hcaactors.views.flow.TestkitEvent;
import org.hcaactors.views.flow.Wording;

/** Explains a request's page faults, at the requester and its peer: how long each took, and why the pages were absent. */
final class AwaitedPages {
    /** Maximum page faults that are explained. */
    private static final int MAX_TOLD = 4;

    private final ExplanationBuilder story;
    private final Lineage lineage;

    /** Page faults of the request, oldest first. */
    private final List<HcaEvent.PageFaultRaised> faults;

    AwaitedPages(ExplanationBuilder story, HcaEvent.WorkPosted posted, TraceEvent done) {
        this.story = story;
        this.lineage = story.lineage();
        faults = lineage.events().stream()
                .filter(HcaEvent.PageFaultRaised.class::isInstance)
                .map(HcaEvent.PageFaultRaised.class::cast)
                .filter(fault -> fault.stamp().id() > posted.stamp().id()
                        && fault.stamp().id() < done.stamp().id()
                        && isFor(posted, fault))
                .toList();
    }

    /** Explains the faults from the last to the first, which is nearest to the root cause. */
    void tell() {
        if (faults.size() > MAX_TOLD) {
            story.say("later, " + (faults.size() - MAX_TOLD) + " more waits for pages");
        }
        faults.stream().limit(MAX_TOLD).toList().reversed().forEach(this::tell);
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
        boolean asks = fault.kind() == FaultKind.GATHER || fault.kind() == FaultKind.RESPONSE;
        return asks && fault.port().equals(posted.port()) && fault.element().equals(posted.element());
    }

    /**
     * Explains a page fault: {@code b/qp17 waited 200.125 us for 8192 bytes at 0x7f0000001000 of key 0x00000200, which a peer
     * writes: ...}.
     */
    private void tell(HcaEvent.PageFaultRaised fault) {
        story.show(fault);
        Optional<? extends HcaEvent> answer = answer(fault);
        String lasted = answer.map(end -> {
                    story.show(end);
                    return " waited "
                            + Wording.micros(end.stamp().nanos() - fault.stamp().nanos()) + " us for ";
                })
                .orElse(" waits for ");
        story.say(fault.port() + "/" + fault.element() + lasted + PageWording.requested(fault) + came(fault, answer)
                + gone(fault));
    }

    private Optional<? extends HcaEvent> answer(HcaEvent.PageFaultRaised fault) {
        List<HcaEvent.PageFaultFailed> failed = lineage.consequences(fault, HcaEvent.PageFaultFailed.class);
        return failed.isEmpty()
                ? lineage.consequences(fault, HcaEvent.PagesMapped.class).stream()
                        .findFirst()
                : failed.stream().findFirst();
    }

    private String came(HcaEvent.PageFaultRaised fault, Optional<? extends HcaEvent> answer) {
        return answer.map(end -> switch (end) {
                    case HcaEvent.PageFaultFailed failed -> ", without success: " + ReasonTexts.of(failed.reason());
                    case HcaEvent.PagesMapped mapped
                    when mapped.contended() -> ", without success: " + met(fault, mapped);
                    default -> "";
                })
                .orElse("");
    }

    // rule paging-contention
    private String met(HcaEvent.PageFaultRaised fault, HcaEvent.PagesMapped nothing) {
        return lineage.event(nothing.stamp().otherCause())
                .map(gone -> {
                    story.show(gone);
                    boolean before = gone.stamp().id() < fault.stamp().id();
                    return "the host invalidated pages of " + nothing.element() + " at "
                            + Wording.micros(gone.stamp().nanos())
                            + (before
                                    ? " us, and this invalidation was not complete yet"
                                    : " us, during the page fault");
                })
                .orElse("an invalidation was in progress");
    }

    private String gone(HcaEvent.PageFaultRaised fault) {
        if (isFirst(fault)) {
            return "; its adapter had not mapped any of these pages before";
        }
        return lineage.event(fault.stamp().otherCause())
                .filter(HcaEvent.PagesInvalidated.class::isInstance)
                .map(HcaEvent.PagesInvalidated.class::cast)
                .map(this::taken)
                .orElse("");
    }

    /** Returns {@code ; its host had evicted 4096 bytes at 0x7f0000001000, 1 page of key 0x00000200, at 12.000 us}. */
    private String taken(HcaEvent.PagesInvalidated invalidated) {
        story.show(invalidated);
        bench(invalidated).ifPresent(story::show);
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
                        bench(invalidated)
                                .map(done -> ", which the testkit injected: " + done.what())
                                .orElse(""));
    }

    /** True if these pages were never mapped before; known only if the trace contains the region's registration. */
    private boolean isFirst(HcaEvent.PageFaultRaised fault) {
        boolean knowsAll = story.lastBefore(
                        fault,
                        HcaEvent.Registered.class,
                        key -> key.port().equals(fault.port()) && key.element().number() == fault.key())
                .isPresent();
        return knowsAll
                && story.lastBefore(
                                fault,
                                HcaEvent.PagesMapped.class,
                                come -> come.port().equals(fault.port())
                                        && come.element().number() == fault.key()
                                        && come.address() < fault.address() + fault.lengthBytes()
                                        && fault.address() < come.address() + come.lengthBytes()
                                        && !come.contended())
                        .isEmpty();
    }

    private Optional<TestkitEvent> bench(HcaEvent.PagesInvalidated invalidated) {
        return story.lastBefore(
                        invalidated,
                        TestkitEvent.class,
                        done -> done.port().equals(invalidated.port()) && done.what().startsWith("evict "))
                .filter(done -> done.stamp().nanos() == invalidated.stamp().nanos());
    }
}
