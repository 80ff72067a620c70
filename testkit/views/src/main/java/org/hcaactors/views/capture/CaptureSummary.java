// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.capture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.views.flow.CmWording;
import org.hcaactors.views.flow.Wording;

/**
 * Summary of the problems in a capture: gaps, NAKs, retransmissions with their reasons, where a message's time was spent, and
 * what a capture cannot show.
 *
 * @param packets number of distinct packets
 * @param exchanges exchanges in the order of their first packets
 * @param connecting messages of communication management, one sentence each; the first {@link #MAX_EXPLAINED}, and how many
 *     more there are
 * @param left other packets of transports that are not analyzed, by transport
 * @param unknown facts that only the hosts know
 * @param notes notes about the file
 */
public record CaptureSummary(
        int packets,
        List<ExchangeSummary> exchanges,
        List<String> connecting,
        Map<String, Integer> left,
        List<String> unknown,
        List<String> notes) {
    /** Maximum sentences of one kind for one exchange. */
    static final int MAX_EXPLAINED = 20;

    /**
     * Reads a capture.
     *
     * @throws IOException if the file cannot be read or is not a capture
     */
    public static CaptureSummary read(Path file) throws IOException {
        ObservedPackets observed = ObservedPackets.read(file);
        List<ExchangeSummary> summaries = Exchanges.of(observed.packets()).stream()
                .map(ExchangeSummary::of)
                .toList();
        Map<String, Integer> left = new TreeMap<>();
        for (ObservedPacket packet : observed.packets()) {
            TransportClass transport = packet.transport();
            if (!Exchanges.isConnected(transport) && packet.message().isEmpty()) {
                left.merge(transport.name(), 1, Integer::sum);
            }
        }
        return new CaptureSummary(
                observed.packets().size(),
                summaries,
                connecting(observed.packets()),
                left,
                unknown(observed, summaries),
                observed.notes());
    }

    private static List<String> connecting(List<ObservedPacket> packets) {
        List<ObservedPacket> messages =
                packets.stream().filter(packet -> packet.message().isPresent()).toList();
        List<String> sentences = new ArrayList<>();
        messages.stream().limit(MAX_EXPLAINED).forEach(packet -> sentences.add(sentence(packet)));
        if (messages.size() > MAX_EXPLAINED) {
            sentences.add("and " + count(messages.size() - MAX_EXPLAINED, "more message"));
        }
        return sentences;
    }

    /** Returns {@code frame 1 at 0.000 us: 10.77.0.3 > 10.77.0.2 REQ to TCP port 7174 ...}. */
    private static String sentence(ObservedPacket packet) {
        return "frame %d at %s us: %s > %s %s%s"
                .formatted(
                        packet.frame(),
                        Wording.micros(Math.max(0, packet.nanos())),
                        packet.route().source(),
                        packet.route().destination(),
                        packet.packet().flatMap(CmWording::inFull).orElseGet(packet::wording),
                        packet.hasBadIcrc() ? ", with a wrong ICRC" : "");
    }

    private static List<String> unknown(ObservedPackets observed, List<ExchangeSummary> summaries) {
        List<String> unknown = new ArrayList<>();
        unknown.add(
                "when a request was posted, and when and how it completed: all times are times at the point of capture");
        if (summaries.stream().anyMatch(exchange -> exchange.kinds().containsKey(Incident.Kind.SENT_AGAIN))) {
            unknown.add("the timeout and retry counts of the queue pairs, and so how many tries were left");
        }
        if (summaries.stream().anyMatch(exchange -> exchange.kinds().containsKey(Incident.Kind.GAP))) {
            unknown.add(
                    "whether missing packets were lost on the wire or missed by the capture: compare the counters of"
                            + " switch, adapters and tcpdump (out_of_sequence, packet_seq_err, dropped by kernel)");
        }
        if (summaries.stream().anyMatch(exchange -> exchange.kinds().containsKey(Incident.Kind.NAK))) {
            unknown.add(
                    "why a responder refused a request: only its host knows its keys, access rights and posted receives");
        }
        if (summaries.stream().anyMatch(exchange -> exchange.kinds().containsKey(Incident.Kind.RNR))) {
            unknown.add("why no receive was posted in time");
        }
        if (observed.packets().stream().anyMatch(ObservedPacket::isCut)) {
            unknown.add(
                    "the bytes that the capture cut off, and whether their packets were intact: the ICRC covers the missing bytes, too");
        }
        return unknown;
    }

    /** Returns {@code 1 packet}, {@code 2 packets}. */
    static String count(long many, String what) {
        return many + " " + what + (many == 1 ? "" : "s");
    }

    private static String left(String transport, int packets) {
        return transport.equals(TransportClass.CNP.name())
                ? count(packets, "congestion notification")
                        + ": a switch had marked packets, and the receiver of the notification must reduce its rate"
                : count(packets, "packet") + " of " + transport + (packets == 1 ? " is" : " are") + " not explained";
    }

    /** Returns one sentence per incident, and one for consecutive retransmissions; at most the first {@link #MAX_EXPLAINED}. */
    static List<String> sentences(List<Incident> incidents) {
        List<String> sentences = new ArrayList<>();
        int next = 0;
        while (next < incidents.size()) {
            if (sentences.size() == MAX_EXPLAINED) {
                sentences.add("and " + (incidents.size() - next) + " more events");
                break;
            }
            Incident first = incidents.get(next);
            int end = next + 1;
            while (end < incidents.size() && follows(incidents.get(end), incidents.get(end - 1))) {
                end++;
            }
            String more = end - next == 1
                    ? ""
                    : ", and the packets after it up to frame "
                            + incidents.get(end - 1).frame();
            sentences.add("frame %d at %s us: %s%s: %s"
                    .formatted(
                            first.frame(),
                            Wording.micros(Math.max(0, first.nanos())),
                            first.what(),
                            more,
                            first.reason()));
            next = end;
        }
        return sentences;
    }

    private static boolean follows(Incident incident, Incident before) {
        return incident.kind() == Incident.Kind.SENT_AGAIN
                && before.kind() == Incident.Kind.SENT_AGAIN
                && incident.offset() == before.offset() + 1
                && incident.reason().equals(before.reason());
    }

    /** Returns the summary as lines. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(count(packets, "packet") + ", " + count(exchanges.size(), "queue pair") + " that received requests");
        for (ExchangeSummary exchange : exchanges) {
            lines.add("");
            lines.addAll(exchange.lines());
        }
        if (!connecting.isEmpty()) {
            lines.add("\ncommunication management:");
            connecting.forEach(message -> lines.add("  " + message));
        }
        left.forEach((transport, count) -> lines.add("\n" + left(transport, count)));
        lines.add("");
        lines.add("what no capture shows and only the hosts know:");
        unknown.forEach(what -> lines.add("  " + what));
        notes.forEach(note -> lines.add("\n" + note));
        return lines;
    }
}
