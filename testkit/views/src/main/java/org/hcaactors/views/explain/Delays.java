// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.views.flow.Lineage;
import org.hcaactors.views.flow.Wording;

/** Explains delays of a request at its requester: retransmissions, and waits after RNR NAKs. */
final class Delays {
    /** Maximum different delays that are explained. */
    private static final int MAX_EXPLAINED = 3;

    /** If a request has more packets, only the first and last of each sending are shown, and the lost ones. */
    private static final int MAX_SHOWN = 8;

    private final ExplanationBuilder explanation;
    private final Lineage lineage;
    private final HcaEvent.WorkPosted posted;
    private final TraceEvent done;
    private final List<FabricEvent.Sent> transmissions;

    /** The packets of each sending, by the event that made the requester retransmit; 0 for the first sending. */
    private final Map<Long, List<FabricEvent.Sent>> packetsByCause = new LinkedHashMap<>();

    Delays(ExplanationBuilder explanation, HcaEvent.WorkPosted posted, TraceEvent done) {
        this.explanation = explanation;
        this.lineage = explanation.lineage();
        this.posted = posted;
        this.done = done;
        transmissions = lineage.consequences(posted, FabricEvent.Sent.class);
        transmissions.forEach(sent -> packetsByCause
                .computeIfAbsent(sent.stamp().otherCause(), any -> new ArrayList<>())
                .add(sent));
    }

    /** Returns the packets, oldest first. */
    List<FabricEvent.Sent> transmissions() {
        return transmissions;
    }

    void show() {
        packetsByCause.keySet().forEach(number -> lineage.event(number).ifPresent(explanation::show));
        if (transmissions.size() <= MAX_SHOWN) {
            transmissions.forEach(explanation::show);
            return;
        }
        for (List<FabricEvent.Sent> run : packetsByCause.values()) {
            explanation.show(run.getFirst()).show(run.getLast());
            run.stream().filter(this::isLost).forEach(explanation::show);
        }
    }

    private boolean isLost(FabricEvent.Sent sent) {
        return lineage.fates(sent).stream().noneMatch(FabricEvent.Delivered.class::isInstance);
    }

    /** Adds a line for each retransmission; true if there was one. */
    boolean explainRetransmissions() {
        List<Line> lines = new ArrayList<>();
        packetsByCause.forEach((number, run) -> lineage.event(number).ifPresent(retransmission -> {
            lines.addFirst(new Line(
                    range(run) + " sent again",
                    ": " + Wording.inside(retransmission).orElse("")));
        }));
        say(lines, "retransmissions");
        return !lines.isEmpty();
    }

    private static String range(List<FabricEvent.Sent> run) {
        int first = run.getFirst().packet().psn();
        int last = run.getLast().packet().psn();
        String all = run.size() == 1 ? Wording.of(run.getFirst().packet()) : "psn " + first + " to " + last;
        return all + (run.size() == 1 ? " was" : " were");
    }

    /** Explains how long the requester waited after RNR NAKs, for this request or an earlier one; true if it did. */
    boolean explainRnrWaits() {
        List<Line> lines = new ArrayList<>();
        for (TraceEvent event : lineage.events()) {
            if (event instanceof HcaEvent.BackedOff wait && isOwn(wait)) {
                explanation.show(wait);
                lines.addFirst(new Line(
                        posted.port() + "/" + posted.element() + " waited " + Wording.micros(wait.forNanos()) + " us",
                        rnrNakText(wait)));
            }
        }
        say(lines, "waits for a peer that was not ready");
        return !lines.isEmpty();
    }

    private boolean isOwn(HcaEvent.BackedOff wait) {
        return wait.stamp().id() > posted.stamp().id()
                && wait.stamp().id() < done.stamp().id()
                && wait.port().equals(posted.port())
                && wait.element().equals(posted.element())
                && !transmissions.isEmpty()
                && Psn.compare(wait.psn(), transmissions.getLast().packet().psn()) <= 0;
    }

    /** Returns {@code : b/qp18 answered RNR 1.28 ms psn 4 msn 2: the page at 0x7f0000012000 of R_Key 0x00000300 is absent}. */
    private String rnrNakText(HcaEvent.BackedOff wait) {
        Optional<FabricEvent.Sent> nak = lineage.cause(wait)
                .filter(FabricEvent.class::isInstance)
                .map(FabricEvent.class::cast)
                .flatMap(lineage::sending);
        nak.ifPresent(explanation::show);
        Optional<HcaEvent.Failed> reason = nak.flatMap(lineage::cause).flatMap(request -> {
            if (request instanceof FabricEvent arrived) {
                lineage.sending(arrived).ifPresent(explanation::show);
            }
            return lineage.consequences(request, HcaEvent.Failed.class).stream().findFirst();
        });
        reason.ifPresent(explanation::show);
        return nak.map(sent -> ": "
                        + reason.map(failed -> failed.port() + "/" + failed.element())
                                .orElseGet(sent::port)
                        + " answered " + Wording.of(sent.packet())
                        + reason.map(failed ->
                                        ": " + ReasonTexts.of(failed.reason()) + TagConsumption.words(lineage, failed))
                                .orElse("")
                        + lineage.cause(sent).map(this::xrcSrqText).orElse(""))
                .orElse("");
    }

    // rule xrc-rnr
    /**
     * Returns {@code , srq3, which request 1 of a/qp17 (SEND 8 bytes) needed: this delayed the requests behind it}; empty unless
     * the transport is XRC.
     */
    private String xrcSrqText(TraceEvent request) {
        OptionalInt queue =
                request instanceof FabricEvent arrived ? arrived.packet().srqIfAny() : OptionalInt.empty();
        if (queue.isEmpty()) {
            return "";
        }
        String requestText = lineage.posting(request)
                .filter(other -> !other.equals(posted))
                .map(other -> {
                    explanation.show(other);
                    return ", which " + Narrator.request(other) + " needed: this delayed the requests behind it";
                })
                .orElse("");
        return ", srq" + queue.getAsInt() + requestText;
    }

    /** Adds one line for equal delays. Of many, the first ones are kept, as they are nearer to the root cause. */
    private void say(List<Line> lines, String what) {
        Map<Line, Integer> alike = new LinkedHashMap<>();
        lines.forEach(line -> alike.merge(line, 1, Integer::sum));
        int later = Math.max(0, alike.size() - MAX_EXPLAINED);
        if (later > 0) {
            long more = alike.values().stream()
                    .limit(later)
                    .mapToLong(count -> count)
                    .sum();
            explanation.say("later, " + more + " more " + what);
        }
        alike.entrySet().stream()
                .skip(later)
                .forEach(line -> explanation.say(line.getKey().times(line.getValue())));
    }

    /** A line in two parts; the number of repetitions is put in between. */
    private record Line(String what, String reason) {
        String times(int count) {
            String countText = switch (count) {
                case 1 -> "";
                case 2 -> ", twice";
                default -> ", " + count + " times";
            };
            return what + countText + reason;
        }
    }
}
