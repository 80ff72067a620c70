// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import org.hcaactors.views.capture.CaptureSummary;
import org.hcaactors.views.capture.ExchangeSummary;
import org.hcaactors.views.capture.MessageSummary;

/** A capture's summary as one JSON document. */
final class CaptureSummaryJson {
    private CaptureSummaryJson() {}

    static ObjectNode of(CaptureSummary story) {
        ObjectNode root = JsonNodeFactory.instance.objectNode().put("packets", story.packets());
        ArrayNode exchanges = root.putArray("exchanges");
        story.exchanges().forEach(exchange -> exchanges.add(of(exchange)));
        story.connecting().forEach(root.putArray("communicationManagement")::add);
        ObjectNode left = root.putObject("notExplained");
        story.left().forEach(left::put);
        story.unknown().forEach(root.putArray("unknownWithoutHosts")::add);
        story.notes().forEach(root.putArray("notes")::add);
        return root;
    }

    private static ObjectNode of(ExchangeSummary exchange) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("who", "%s qp 0x%06x".formatted(exchange.element(), exchange.qp()))
                .put("destQp", exchange.qp())
                .put("messages", exchange.messages())
                .put("requests", exchange.requests())
                .put("answers", exchange.answers());
        ObjectNode kinds = node.putObject("incidents");
        exchange.kinds()
                .forEach((kind, count) ->
                        kinds.put(kind.name().toLowerCase(Locale.ROOT).replace('_', '-'), count));
        ArrayNode troubled = node.putArray("troubled");
        exchange.troubled().forEach(message -> troubled.add(of(message)));
        node.put("moreTroubled", exchange.moreTroubled());
        exchange.apart().forEach(node.putArray("apart")::add);
        exchange.slowest().ifPresent(message -> node.set("slowest", of(message)));
        return node;
    }

    private static ObjectNode of(MessageSummary message) {
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("what", message.what())
                .put("frame", message.frame())
                .put("refused", message.isRefused())
                .put("sendingNanos", message.sendingNanos());
        message.answerFrame().ifPresent(frame -> node.put("answerFrame", frame));
        message.tookNanos().ifPresent(nanos -> node.put("tookNanos", nanos));
        message.because().forEach(node.putArray("because")::add);
        return node;
    }
}
