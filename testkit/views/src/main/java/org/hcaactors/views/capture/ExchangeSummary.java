// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.capture;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.hcaactors.views.flow.Wording;

/**
 * Summary of the requests to one queue pair.
 *
 * @param element transport and both addresses
 * @param qp the responder's queue pair
 * @param messages number of the requester's messages
 * @param kinds number of incidents of each kind
 * @param troubled messages with incidents, or without a response although others have one; the first
 *     {@link CaptureSummary#MAX_EXPLAINED}
 * @param moreTroubled number of further such messages
 * @param troubledLines all of these as lines
 * @param apart incidents of no captured message
 * @param slowest the message that took the longest to be answered
 */
public record ExchangeSummary(
        String element,
        int qp,
        int requests,
        int answers,
        int messages,
        Map<Incident.Kind, Integer> kinds,
        List<MessageSummary> troubled,
        int moreTroubled,
        List<String> troubledLines,
        List<String> apart,
        Optional<MessageSummary> slowest) {
    static ExchangeSummary of(Exchange exchange) {
        ObservedPacket first = exchange.first();
        Map<Incident.Kind, Integer> kinds = new EnumMap<>(Incident.Kind.class);
        exchange.incidents().forEach(incident -> kinds.merge(incident.kind(), 1, Integer::sum));
        List<RequestMessage> troubled = exchange.messages().stream()
                .filter(message -> !message.incidents().isEmpty()
                        || exchange.isAnswered() && message.answer().isEmpty())
                .toList();
        Set<Incident> ofMessages = exchange.messages().stream()
                .flatMap(message -> message.incidents().stream())
                .collect(Collectors.toSet());
        return new ExchangeSummary(
                "%s %s > %s"
                        .formatted(
                                first.transport(),
                                first.route().source(),
                                first.route().destination()),
                first.bth().destQp(),
                exchange.requests(),
                exchange.answers(),
                exchange.messages().size(),
                kinds,
                troubled.stream()
                        .limit(CaptureSummary.MAX_EXPLAINED)
                        .map(MessageSummary::of)
                        .toList(),
                Math.max(0, troubled.size() - CaptureSummary.MAX_EXPLAINED),
                ProblemLines.of(troubled),
                CaptureSummary.sentences(exchange.incidents().stream()
                        .filter(incident -> !ofMessages.contains(incident))
                        .toList()),
                exchange.messages().stream()
                        .filter(message -> message.took().isPresent())
                        .max(Comparator.comparing(message -> message.took().orElse(0L)))
                        .map(MessageSummary::of));
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("%s %s: %s in %s, %s%s"
                .formatted(
                        element,
                        Wording.queuePair(qp),
                        CaptureSummary.count(messages, "message"),
                        CaptureSummary.count(requests, "packet"),
                        CaptureSummary.count(answers, "answer"),
                        counted()));
        lines.addAll(troubledLines);
        apart.forEach(sentence -> lines.add("  " + sentence));
        if (slowest.isPresent() && !troubled.contains(slowest.get())) {
            lines.add("  the slowest:");
            slowest.get().lines().forEach(line -> lines.add("  " + line));
        }
        return lines;
    }

    private String counted() {
        StringBuilder text = new StringBuilder();
        kinds.forEach(
                (kind, count) -> text.append(", ").append(count).append(' ').append(word(kind, count)));
        return text.toString();
    }

    private static String word(Incident.Kind kind, int count) {
        return switch (kind) {
            case GAP -> count == 1 ? "gap" : "gaps";
            case LATE -> "out of order";
            case SENT_AGAIN -> "sent again";
            case SEQUENCE_NAK -> "NAK psn sequence";
            case NAK -> "NAK";
            case RNR -> "RNR NAK";
            case BAD_ICRC -> "with a wrong ICRC";
        };
    }
}
