// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.invariant.HandMadeTrace;
import org.hcaactors.lab.invariant.TestResourceAudit;
import org.hcaactors.lab.invariant.TraceState;
import org.junit.jupiter.api.Test;

// rules tag-match, tag-phase, tag-unexpected
/** Uses events of one tag-matching queue, b/srq3. */
class MatchesTagsTest {
    private static final String PORT = "b";
    private static final int QUEUE = 3;
    private static final Element WHO = Element.sharedReceives(QUEUE);
    private static final int QP = 17;

    private final TestResourceAudit audit = new TestResourceAudit();
    private final MatchesTags invariant = new MatchesTags(audit.ledger);
    private final TraceState traceState = new TraceState(name -> Optional.empty());
    private final List<String> broken = new ArrayList<>();
    private long lastId;

    private Stamp next() {
        return new Stamp(++lastId, lastId, 0, 0);
    }

    private void tell(TraceEvent event) {
        HandMadeTrace.note(traceState, event);
        invariant.on(event, traceState, broken::add);
    }

    private void lists(long serial, long tag) {
        tell(new HcaEvent.TagAdded(next(), PORT, WHO, serial, serial, tag, -1, true));
    }

    private void matches(long serial, long tag) {
        tell(new HcaEvent.TagMatched(next(), PORT, WHO, QP, serial, serial, tag));
    }

    private void isUnexpected(long workId, long tag) {
        tell(new HcaEvent.TagUnmatched(next(), PORT, WHO, QP, workId, OptionalLong.of(tag)));
    }

    private List<String> atQuietWith(int receives) {
        audit.open(new ResourceSnapshot.SharedReceives(PORT, QUEUE, 1, receives, receives, OptionalInt.of(1), false));
        invariant.whenIdle(traceState, broken::add);
        return broken;
    }

    @Test
    void theFirstMatchingReceiveGetsTheMessage() {
        lists(1, 7);
        lists(2, 7);
        matches(1, 7);
        assertThat(broken).isEmpty();
        lists(3, 7);
        matches(3, 7);
        assertThat(broken).singleElement().asString().contains("instead of the first matching receive, 2");
    }

    @Test
    void aMatchingMessageIsNotUnexpected() {
        lists(1, 7);
        isUnexpected(-1, 8);
        assertThat(broken).isEmpty();
        isUnexpected(-2, 7);
        assertThat(broken).singleElement().asString().contains("but receive 1 matches it");
    }

    @Test
    void aReceiveThatMatchedNoMessageIsPresent() {
        for (int i = 1; i <= 3; i++) {
            tell(new HcaEvent.SharedReceivePosted(next(), PORT, WHO, -i, 100));
        }
        isUnexpected(-1, 8);
        isUnexpected(-2, 8);
        tell(new HcaEvent.TagReturned(next(), PORT, WHO, -2, 0, true));
        assertThat(atQuietWith(2)).isEmpty();
    }

    @Test
    void aMissingReceiveIsFound() {
        lists(1, 7);
        tell(new HcaEvent.SharedReceivePosted(next(), PORT, WHO, -1, 100));
        assertThat(atQuietWith(0)).singleElement().asString().contains("b/srq3 has 0 receives");
    }
}
