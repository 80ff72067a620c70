// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.HcaEvent.FaultKind;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.BenchEvent;
import org.hcaactors.views.flow.Lineage;
import org.hcaactors.views.flow.Wording;

/** The pages that a request waited for, here and at its peer: how long for which, and who had taken them. */
final class PageWaits {
    /** More would not be read. */
    private static final int MOST_TOLD = 4;

    private final Story story;
    private final Lineage lineage;

    PageWaits(Story story) {
        this.story = story;
        this.lineage = story.lineage();
    }

    void tell(HcaEvent.WorkPosted posted, TraceEvent done) {
        List<HcaEvent.PageFaultRaised> faults = lineage.events().stream()
                .filter(HcaEvent.PageFaultRaised.class::isInstance)
                .map(HcaEvent.PageFaultRaised.class::cast)
                .filter(fault -> fault.stamp().id() > posted.stamp().id()
                        && fault.stamp().id() < done.stamp().id()
                        && isFor(posted, fault))
                .toList();
        faults.stream().limit(MOST_TOLD).forEach(this::tell);
        if (faults.size() > MOST_TOLD) {
            story.say("and " + (faults.size() - MOST_TOLD) + " more waits for pages");
        }
    }

    /** A send queue that waits does so for the request that it is at, and for those behind it. */
    private boolean isFor(HcaEvent.WorkPosted posted, HcaEvent.PageFaultRaised fault) {
        Optional<HcaEvent.WorkPosted> own = lineage.posting(fault);
        if (own.isPresent()) {
            return own.get().equals(posted);
        }
        boolean asks = fault.kind() == FaultKind.GATHER || fault.kind() == FaultKind.RESPONSE;
        return asks && fault.port().equals(posted.port()) && fault.who().equals(posted.who());
    }

    private void tell(HcaEvent.PageFaultRaised fault) {
        story.show(fault);
        String lasted = answer(fault)
                .map(answer -> {
                    story.show(answer);
                    long nanos = answer.stamp().nanos() - fault.stamp().nanos();
                    return ", for " + Wording.micros(nanos) + " us";
                })
                .orElse("");
        story.say(fault.port() + ": " + Wording.of(fault).orElse("") + lasted + taken(fault));
    }

    private Optional<? extends HcaEvent> answer(HcaEvent.PageFaultRaised fault) {
        List<HcaEvent.PageFaultFailed> failed = lineage.consequences(fault, HcaEvent.PageFaultFailed.class);
        return failed.isEmpty()
                ? lineage.consequences(fault, HcaEvent.PagesMapped.class).stream()
                        .findFirst()
                : failed.stream().findFirst();
    }

    /** {@code ; the host had evicted 4096 bytes at 0x7f0000001000 at 12.000 us}. */
    private String taken(HcaEvent.PageFaultRaised fault) {
        return lineage.event(fault.stamp().otherCause())
                .filter(HcaEvent.PagesInvalidated.class::isInstance)
                .map(HcaEvent.PagesInvalidated.class::cast)
                .map(gone -> {
                    story.show(gone);
                    bench(gone).ifPresent(story::show);
                    return "; since %s us, %s%s"
                            .formatted(
                                    Wording.micros(gone.stamp().nanos()),
                                    Wording.of(gone).orElse(""),
                                    bench(gone)
                                            .map(done -> ", as the bench did: " + done.what())
                                            .orElse(""));
                })
                .orElse("");
    }

    private Optional<BenchEvent> bench(HcaEvent.PagesInvalidated gone) {
        return story.lastBefore(
                        gone,
                        BenchEvent.class,
                        done -> done.port().equals(gone.port()) && done.what().startsWith("evict "))
                .filter(done -> done.stamp().nanos() == gone.stamp().nanos());
    }
}
