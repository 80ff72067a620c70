// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.views.flow.Lineage;
import org.hcaactors.views.flow.Wording;

/**
 * Messages that a program posted again although their peer had received them: with the same id, the same length, and the same bytes in
 * their first packet. Where most messages are alike, this says nothing, and nothing is told.
 */
final class PostedAgain {
    private record Message(String port, long workId, Octets bytes) {}

    /** Of all messages, one in so many may be one that was posted again. */
    private static final int ONE_IN = 3;

    private final Lineage lineage;

    PostedAgain(Lineage lineage) {
        this.lineage = lineage;
    }

    /** A sentence each, oldest first. */
    List<String> sentences() {
        Map<Message, HcaEvent.WorkPosted> known = new LinkedHashMap<>();
        List<String> again = new ArrayList<>();
        int messages = 0;
        for (HcaEvent.WorkPosted posted : sends()) {
            Optional<Message> message = message(posted);
            if (message.isPresent()) {
                messages++;
                HcaEvent.WorkPosted first = known.putIfAbsent(message.get(), posted);
                if (first != null) {
                    sentence(first, posted).ifPresent(again::add);
                }
            }
        }
        return again.size() * ONE_IN <= messages ? again : List.of();
    }

    private List<HcaEvent.WorkPosted> sends() {
        return lineage.events().stream()
                .filter(HcaEvent.WorkPosted.class::isInstance)
                .map(HcaEvent.WorkPosted.class::cast)
                .filter(posted -> posted.work() instanceof Send)
                .toList();
    }

    /** Empty where it has no bytes, or was not sent. */
    private Optional<Message> message(HcaEvent.WorkPosted posted) {
        return lineage.consequences(posted, FabricEvent.Sent.class).stream()
                .findFirst()
                .map(sent -> sent.packet().payload())
                .filter(bytes -> bytes.length() > 0)
                .map(bytes -> new Message(posted.port(), posted.work().id(), bytes));
    }

    private Optional<String> sentence(HcaEvent.WorkPosted first, HcaEvent.WorkPosted again) {
        return new CarriedOut(lineage)
                .at(first)
                .map(nanos -> Narrator.request(first) + ", posted at " + at(first) + " us and received at "
                        + Wording.micros(nanos) + " us, was posted again at " + at(again) + " us, with the same bytes");
    }

    private static String at(HcaEvent.WorkPosted posted) {
        return Wording.micros(posted.stamp().nanos());
    }
}
