// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.assertion;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ListAssert;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.fault.PacketMatch;
import org.hcaactors.views.flow.Journey;
import org.hcaactors.views.flow.Journeys;
import org.hcaactors.views.flow.Lineage;
import org.hcaactors.views.flow.TraceRecorder;

/** Assertions on a run, read from its trace. Queries return AssertJ lists: {@code hasSize}, {@code isEmpty}. */
public final class TraceAssert extends AbstractAssert<TraceAssert, TraceRecorder> {
    TraceAssert(TraceRecorder trace) {
        super(trace, TraceAssert.class);
    }

    private List<TraceEvent> events() {
        isNotNull();
        return actual.events();
    }

    private List<Journey> journeys(Predicate<Journey> requested) {
        return Journeys.of(events()).stream().filter(requested).toList();
    }

    /** Returns every sending of a matching packet, retransmissions included. */
    public ListAssert<Journey> packets(PacketMatch match) {
        return Assertions.assertThat(journeys(journey -> match.holds(journey.transit())))
                .as("packets: %s", match);
    }

    /** Returns the request packets that were retransmitted. */
    public ListAssert<Journey> retransmissions() {
        return Assertions.assertThat(journeys(Journey::repeated)).as("retransmitted packets");
    }

    /** Returns the packets that never reached their queue pair. */
    public ListAssert<Journey> lostPackets() {
        return Assertions.assertThat(journeys(journey -> !journey.isDelivered()))
                .as("packets that were not delivered");
    }

    public ListAssert<WorkCompletion> completions() {
        List<WorkCompletion> all = new ArrayList<>();
        for (TraceEvent event : events()) {
            if (event instanceof HcaEvent.Completed done) {
                all.add(done.completion());
            }
        }
        return Assertions.assertThat(all).as("completions");
    }

    public ListAssert<AsyncEvent.Kind> asyncEvents() {
        List<AsyncEvent.Kind> all = new ArrayList<>();
        for (TraceEvent event : events()) {
            if (event instanceof HcaEvent.Raised raised) {
                all.add(raised.event().kind());
            }
        }
        return Assertions.assertThat(all).as("asynchronous events");
    }

    /** Verifies that no message completed two receives. */
    public TraceAssert hasNoDoubleDelivery() {
        Map<String, Integer> deliveries = new HashMap<>();
        Lineage lineage = Lineage.of(events());
        for (TraceEvent event : lineage.events()) {
            boolean received = event instanceof HcaEvent.Completed one
                    && one.stamp().otherCause() == 0
                    && one.completion().isSuccess();
            if (received) {
                HcaEvent.Completed done = (HcaEvent.Completed) event;
                long origin = lineage.posting(done)
                        .map(posted -> posted.stamp().id())
                        .orElse(done.stamp().cause());
                // Each member of a multicast group receives its own copy.
                String delivery = origin + " to " + done.port() + "/qp"
                        + done.completion().qpNumber();
                if (deliveries.merge(delivery, 1, Integer::sum) > 1) {
                    failWithMessage("message of event %s was delivered twice", delivery);
                }
            }
        }
        return this;
    }

    /** Verifies that every completion is a success. */
    public TraceAssert hasOnlySuccess() {
        completions().allSatisfy(completion -> new CompletionAssert(completion).isSuccess());
        return this;
    }
}
