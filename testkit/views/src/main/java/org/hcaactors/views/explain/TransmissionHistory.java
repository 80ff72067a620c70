// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.NoSession;
import org.hcaactors.adapter.flow.PacketMismatch;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.views.flow.Lineage;
import org.hcaactors.views.flow.Wording;

/**
 * History of a packet's sendings: how often the requester sent it and the packets behind it, and the fates of these and of the
 * responses.
 */
final class TransmissionHistory {
    private static final int MAX_NAMED = 4;
    private static final String UNDER_WAY = " was still in flight";

    /** Maximum packets that are followed: the last ones, which are nearest to the end. */
    static final int MAX_FOLLOWED = 2048;

    /** Why the requester gave up. */
    enum ExhaustedRetry {
        /** RNR NAKs. */
        NOT_READY,
        /** Missing responses, or NAKs for missing packets. */
        LOSS
    }

    private final Lineage lineage;
    private final String port;
    private final Element element;
    private final int psn;
    private final TraceEvent until;

    private final List<FabricEvent.Sent> transmissions = new ArrayList<>();
    private final Map<String, Integer> answered = new LinkedHashMap<>();
    private final Map<String, Integer> ignored = new LinkedHashMap<>();
    private final Map<String, Integer> unserved = new LinkedHashMap<>();
    /** Packets behind a CONNECT that opened no session, which add nothing. */
    private final Map<String, Integer> behindConnect = new LinkedHashMap<>();

    private final Map<String, Integer> lost = new LinkedHashMap<>();
    private final List<FabricEvent.Sent> all = new ArrayList<>();
    private Optional<HcaEvent.Discarded> lastIgnored = Optional.empty();
    private Optional<HcaEvent.Failed> lastUnserved = Optional.empty();
    private int answers;
    /** Number of packets that are not followed. */
    private int before;

    /**
     * @param psn PSN of the oldest packet that was not acknowledged
     * @param until events from this one on are ignored
     */
    TransmissionHistory(Lineage lineage, String port, Element element, int psn, TraceEvent until) {
        this.lineage = lineage;
        this.port = port;
        this.element = element;
        this.psn = psn;
        this.until = until;
        gather();
    }

    private void gather() {
        Optional<PortAddress> own = Optional.empty();
        for (FabricEvent.Sent sent : lineage.conversation(element.number())) {
            if (sent.stamp().id() > until.stamp().id()) {
                continue;
            }
            if (isRequest(sent)) {
                own = Optional.of(sent.packet().route().source());
                if (sent.packet().psn() == psn) {
                    transmissions.add(sent);
                }
                all.add(sent);
            } else if (!transmissions.isEmpty() && own.isPresent() && isAnswer(sent, own.get())) {
                answers++;
                all.add(sent);
            }
        }
        before = Math.max(0, all.size() - MAX_FOLLOWED);
        all.subList(0, before).clear();
        all.forEach(this::follow);
    }

    private boolean isRequest(FabricEvent.Sent sent) {
        Packet packet = sent.packet();
        return sent.port().equals(port)
                && packet.opcode().transport().isAnswered()
                && !packet.operation().isResponse()
                && isFrom(packet)
                && lineage.posting(sent)
                        .map(posted -> posted.element().equals(element))
                        .orElse(false);
    }

    private boolean isAnswer(FabricEvent.Sent sent, PortAddress own) {
        Packet packet = sent.packet();
        return packet.opcode().transport().isAnswered()
                && packet.operation().isResponse()
                && packet.bth().destQp() == element.number()
                && packet.route().destination().equals(own)
                && isFrom(packet);
    }

    // rule wire-dc-connect
    /** A CONNECT and its response have the PSN before that of the first packet behind it. */
    private boolean isFrom(Packet packet) {
        int min = packet.opcode().transport() == TransportClass.DC ? -1 : 0;
        return Psn.compare(packet.psn(), psn) >= min;
    }

    private void follow(FabricEvent.Sent sent) {
        String owner = sent.packet().operation().isResponse() ? sent.port() + "'s " : "";
        String name = owner + Wording.of(sent.packet());
        Optional<FabricEvent.Delivered> arrival = Optional.empty();
        Optional<String> disturbance = Optional.empty();
        for (FabricEvent fate : lineage.fates(sent)) {
            switch (fate) {
                case FabricEvent.Delivered delivered -> {
                    if (delivered.stamp().id() < until.stamp().id()) {
                        arrival = Optional.of(delivered);
                    }
                }
                case FabricEvent.Dropped dropped -> disturbance = Optional.of(dropped.reason());
                case FabricEvent.Corrupted corrupted -> disturbance = Optional.of("bad ICRC" + author(corrupted));
                case FabricEvent.Disturbed disturbed -> disturbance = Optional.of(disturbed.what());
                case FabricEvent.Sent again -> {}
                case FabricEvent.Forged other -> {}
            }
        }
        if (arrival.isPresent()) {
            received(arrival.get(), name, sent);
        } else {
            count(lost, disturbance.map(how -> name + ": " + how).orElse(name + UNDER_WAY));
        }
    }

    /** Names the fault that flipped the bit but not the bit, so that several strikes are one group. */
    private static String author(FabricEvent.Corrupted corrupted) {
        return corrupted.by().map(rule -> ", corrupted by " + rule).orElseGet(() -> ": " + corrupted.what());
    }

    private void received(FabricEvent.Delivered arrival, String name, FabricEvent.Sent sent) {
        List<HcaEvent.Discarded> refusals = lineage.consequences(arrival, HcaEvent.Discarded.class);
        if (!refusals.isEmpty()) {
            HcaEvent.Discarded refusal = refusals.getFirst();
            lastIgnored = Optional.of(refusal);
            count(
                    refusal.reason() instanceof PacketMismatch.NoSession ? behindConnect : ignored,
                    refusal.port() + "/" + refusal.element() + " ignored " + name + ": "
                            + ReasonTexts.of(refusal.reason()));
        } else if (unserved(arrival).isPresent()) {
            lastUnserved = unserved(arrival);
            lastUnserved.ifPresent(failed ->
                    count(unserved, failed.port() + "/" + failed.element() + ": " + ReasonTexts.of(failed.reason())));
        } else if (isNegative(sent.packet())) {
            String reason = lineage.cause(sent)
                    .flatMap(request -> lineage.consequences(request, HcaEvent.Failed.class).stream()
                            .findFirst())
                    .map(failed -> ": " + ReasonTexts.of(failed.reason()) + TagConsumption.words(lineage, failed))
                    .orElse("");
            count(answered, name + reason);
        }
    }

    // rule dc-empty
    /** Returns the failure if the target had no responder, so that the packet was not even refused. */
    private Optional<HcaEvent.Failed> unserved(FabricEvent.Delivered arrival) {
        return lineage.consequences(arrival, HcaEvent.Failed.class).stream()
                .filter(failed -> failed.reason() instanceof NoSession.NoResponder)
                .findFirst();
    }

    private static boolean isNegative(Packet packet) {
        return packet.operation() == Operation.ACKNOWLEDGE
                && !Syndrome.isAck(packet.aeth().syndrome());
    }

    private static void count(Map<String, Integer> groups, String name) {
        groups.merge(name, 1, Integer::sum);
    }

    /** Explains from the last known event back to the cause. */
    void tell(ExplanationBuilder explanation, ExhaustedRetry exhausted) {
        if (transmissions.isEmpty()) {
            explanation.say("psn " + psn + " was never sent");
            return;
        }
        FabricEvent.Sent first = transmissions.getFirst();
        String times = transmissions.size() == 1
                ? "once, at " + Wording.micros(first.stamp().nanos()) + " us"
                : transmissions.size() + " times from "
                        + Wording.micros(first.stamp().nanos()) + " to "
                        + Wording.micros(transmissions.getLast().stamp().nanos()) + " us";
        explanation.say(port + "/" + element + " sent " + Wording.of(first.packet()) + " " + times);
        all.forEach(explanation::show);
        if (before > 0) {
            explanation.say("the first " + before + " of " + (before + all.size()) + " packets are not shown");
        }
        if (answers == 0 && lost.isEmpty() && ignored.isEmpty() && behindConnect.isEmpty() && unserved.isEmpty()) {
            explanation.say("every packet arrived, and no answer was sent");
        }
        if (answered.isEmpty() && unserved.isEmpty()) {
            say(explanation, behindConnect, "");
        }
        say(explanation, ignored, "");
        if (exhausted == ExhaustedRetry.NOT_READY) {
            losses(explanation);
            say(explanation, answered, "");
        } else {
            say(explanation, answered, "");
            losses(explanation);
        }
        say(explanation, unserved, "");
        lastUnserved.ifPresent(failed -> {
            if (failed.reason() instanceof NoSession.NoResponder none) {
                new ResponderOwners(explanation).tell(failed, none);
            }
        });
    }

    /** Returns the last packet that the peer ignored, if none was lost: then the peer's state is the cause, not the wire. */
    Optional<HcaEvent.Discarded> ignoredByPeer() {
        return lost.isEmpty() ? lastIgnored : Optional.empty();
    }

    /** Explains which packets were lost or still in flight. */
    void losses(ExplanationBuilder explanation) {
        say(explanation, lost, "lost on the way: ");
    }

    private static void say(ExplanationBuilder explanation, Map<String, Integer> groups, String what) {
        int named = 0;
        for (Map.Entry<String, Integer> group : groups.entrySet()) {
            if (++named > MAX_NAMED) {
                explanation.say(what + (groups.size() - MAX_NAMED) + " more");
                return;
            }
            String times = group.getValue() == 1 ? "" : " (" + group.getValue() + " times)";
            explanation.say((group.getKey().endsWith(UNDER_WAY) ? "" : what) + group.getKey() + times);
        }
    }
}
