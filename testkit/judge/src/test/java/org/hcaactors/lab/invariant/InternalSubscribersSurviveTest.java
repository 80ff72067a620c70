// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.adapter.audit.VerbOwner;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.client.messages.TagEndpoint;
import org.junit.jupiter.api.Test;

class InternalSubscribersSurviveTest {
    private static final VerbOwner QUEUE = new VerbOwner() {
        @Override
        public String path() {
            return "/a/cq-1";
        }

        @Override
        public boolean isClosed() {
            return false;
        }
    };

    private final ResourceLedger ledger = new ResourceLedger();
    private final HandMadeTrace trace = new HandMadeTrace(new InternalSubscribersSurvive(ledger), QpType.RC);

    // rule completion-subscriber-throws
    @Test
    void anEndpointThatThrowsIsFound() {
        ledger.threw(QUEUE, TagEndpoint.class, new IllegalStateException("no handle"));
        assertThat(trace.quiet().stories())
                .singleElement()
                .asString()
                .contains("TagEndpoint", "/a/cq-1", "no handle", "receives no more events");
    }

    @Test
    void aThrowingSubscriberIsFoundOnce() {
        ledger.threw(QUEUE, TagEndpoint.class, new IllegalStateException("no handle"));
        trace.quiet();
        assertThat(trace.quiet().stories()).hasSize(1);
    }

    @Test
    void aProgramsSubscriberMayThrow() {
        ledger.threw(QUEUE, Subscribers.forEach(element -> {}).getClass(), new IllegalStateException("mine"));
        ledger.threw(QUEUE, InternalSubscribersSurviveTest.class, new IllegalStateException("mine"));
        assertThat(trace.quiet().stories()).isEmpty();
    }
}
