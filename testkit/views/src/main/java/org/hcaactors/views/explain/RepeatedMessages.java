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
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.views.flow.Lineage;
import org.hcaactors.views.flow.Wording;

/**
 * Messages of one packet that a program posted again although their peer had received them: to the same adapter, with the same
 * id and bytes. If most messages are equal, this means nothing and is not reported.
 */
final class RepeatedMessages {
    private record Message(String port, PortAddress to, long workId, Octets bytes) {}

    /** Repetitions are reported if they are at most one in this many messages. */
    private static final int ONE_IN = 3;

    private final Lineage lineage;

    RepeatedMessages(Lineage lineage) {
        this.lineage = lineage;
    }

    /** Returns one sentence per repetition, oldest first. */
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

    /** Returns the message; empty if it has no bytes or several packets, or was not sent. */
    private Optional<Message> message(HcaEvent.WorkPosted posted) {
        return lineage.consequences(posted, FabricEvent.Sent.class).stream()
                .findFirst()
                .map(FabricEvent.Sent::packet)
                .filter(packet -> packet.operation().place() == Operation.Place.ONLY
                        && packet.payload().length() > 0)
                .map(packet -> new Message(
                        posted.port(),
                        packet.route().destination(),
                        posted.work().id(),
                        packet.payload()));
    }

    private Optional<String> sentence(HcaEvent.WorkPosted first, HcaEvent.WorkPosted again) {
        return new RemoteExecution(lineage)
                .at(first)
                .filter(nanos -> nanos <= again.stamp().nanos())
                .map(nanos -> Narrator.request(first) + ", posted at " + at(first) + " us and received at "
                        + Wording.micros(nanos) + " us, was posted again at " + at(again) + " us, with the same bytes");
    }

    private static String at(HcaEvent.WorkPosted posted) {
        return Wording.micros(posted.stamp().nanos());
    }
}
