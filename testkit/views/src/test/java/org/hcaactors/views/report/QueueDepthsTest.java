// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.Stamp;
import org.junit.jupiter.api.Test;

class QueueDepthsTest {
    private static final Element QP = Element.queuePair(17);
    private static final Element CQ = Element.completionQueue(3);

    private final QueueDepths depths = new QueueDepths();
    private long ids;

    private Stamp stamp(long cause, long other) {
        ids++;
        return new Stamp(ids, ids * 10, cause, other);
    }

    private List<Integer> of(QueueDepths.QueueKind what) {
        return depths.series().stream()
                .filter(series -> series.what() == what)
                .flatMap(series -> series.points().stream())
                .map(QueueDepths.Point::depth)
                .toList();
    }

    @Test
    void aCompletionRemovesUnsignaledRequestsBeforeIt() {
        depths.note(new HcaEvent.WorkPosted(stamp(0, 0), "a", QP, Send.of(1, List.of()), false));
        depths.note(new HcaEvent.WorkPosted(stamp(0, 0), "a", QP, Send.of(2, List.of()), true));
        depths.note(new HcaEvent.RequestDropped(stamp(2, 0), "a", QP, 2));
        assertThat(of(QueueDepths.QueueKind.SENDS)).containsExactly(1, 2, 0);
    }

    @Test
    void undeliveredEntriesAreInTheirQueueAgain() {
        depths.note(new HcaEvent.EntryWritten(stamp(0, 0), "a", CQ, 17, 1, false));
        depths.note(new HcaEvent.EntryWritten(stamp(0, 0), "a", CQ, 17, 2, false));
        depths.note(new HcaEvent.EntriesTaken(stamp(0, 0), "a", CQ, 2));
        depths.note(new HcaEvent.EntriesReturned(stamp(0, 0), "a", CQ, 1));
        assertThat(of(QueueDepths.QueueKind.ENTRIES)).containsExactly(1, 2, 0, 1);
    }

    @Test
    void anUnmatchedMessageTakesAReceiveOfTheQueue() {
        Element srq = Element.sharedReceives(4);
        depths.note(new HcaEvent.SharedReceivePosted(stamp(0, 0), "a", srq, 1, 64));
        depths.note(new HcaEvent.TagUnmatched(stamp(0, 0), "a", srq, 17, 1, OptionalLong.of(7)));
        depths.note(new HcaEvent.TagReturned(stamp(0, 0), "a", srq, 1, 0, true));
        assertThat(of(QueueDepths.QueueKind.RECEIVES)).containsExactly(1, 0, 1);
    }

    @Test
    void aTruncatedTraceHasNoNegativeDepth() {
        depths.note(new HcaEvent.EntriesTaken(stamp(0, 0), "a", CQ, 5));
        depths.note(new HcaEvent.EntryWritten(stamp(0, 0), "a", CQ, 17, 1, false));
        assertThat(of(QueueDepths.QueueKind.ENTRIES)).containsExactly(0, 1);
    }
}
