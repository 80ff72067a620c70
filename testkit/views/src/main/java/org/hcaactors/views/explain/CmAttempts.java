// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.adapter.flow.ConnectionStep;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.HcaEvent.ConnectionChanged;
import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.mad.CmAttribute;
import org.hcaactors.views.explain.CmHistory.Message;
import org.hcaactors.views.flow.Lineage;
import org.hcaactors.views.flow.Wording;

/** Explains why an end of a connection has no answer: how often it asked, what was lost, and what its peer does. */
final class CmAttempts {
    private final ExplanationBuilder explanation;
    private final Lineage lineage;
    private final CmHistory history;
    private final ConnectionChanged end;
    private final long until;
    private final Map<String, Integer> lost = new LinkedHashMap<>();
    private final Map<String, Integer> dropped = new LinkedHashMap<>();
    private Optional<FabricEvent.Delivered> withoutRoom = Optional.empty();

    /** @param until events from this ID on are ignored */
    CmAttempts(ExplanationBuilder explanation, CmHistory history, ConnectionChanged end, long until) {
        this.explanation = explanation;
        this.history = history;
        this.end = end;
        this.until = until;
        lineage = explanation.lineage();
    }

    void explain() {
        CmAttribute kind = history.request(end).isPresent() ? CmAttribute.REP : CmAttribute.REQ;
        List<Message> own = before(history.sentBy(end)).stream()
                .filter(each -> each.is(kind))
                .toList();
        if (own.isEmpty()) {
            explanation.say(end.port() + " has not sent its " + kind);
            return;
        }
        explanation.say(end.port() + " sent " + Wording.of(own.getFirst().sent().packet()) + times(own));
        own.forEach(each -> follow(each, ""));
        before(history.sentTo(end)).stream()
                .filter(each -> !each.is(CmAttribute.REQ))
                .forEach(each -> follow(each, each.sent().port() + "'s "));
        say("lost on the way: ", lost);
        say("", dropped);
        withoutRoom.ifPresent(arrival -> noRoom(arrival, own.getFirst().service()));
        if (withoutRoom.isEmpty()) {
            peer();
        }
    }

    private List<Message> before(List<Message> all) {
        return all.stream().filter(each -> each.sent().stamp().id() < until).toList();
    }

    private static String times(List<Message> all) {
        String first = Wording.micros(all.getFirst().sent().stamp().nanos());
        return all.size() == 1
                ? " once, at " + first + " us"
                : " " + all.size() + " times from " + first + " to "
                        + Wording.micros(all.getLast().sent().stamp().nanos()) + " us";
    }

    private void follow(Message message, String owner) {
        explanation.show(message.sent());
        String name = owner + Wording.of(message.sent().packet());
        for (FabricEvent fate : lineage.fates(message.sent())) {
            switch (fate) {
                case FabricEvent.Dropped drop -> count(lost, name + ": " + drop.reason());
                case FabricEvent.Corrupted corrupted -> count(lost, name + ": bad ICRC" + author(corrupted));
                case FabricEvent.Delivered arrival when arrival.stamp().id() < until -> arrived(arrival);
                case FabricEvent.Delivered later -> {}
                case FabricEvent.Disturbed disturbed -> {}
                case FabricEvent.Sent again -> {}
                case FabricEvent.Forged other -> {}
            }
        }
    }

    private static String author(FabricEvent.Corrupted corrupted) {
        return corrupted.by().map(rule -> ", corrupted by " + rule).orElseGet(() -> ": " + corrupted.what());
    }

    private void arrived(FabricEvent.Delivered arrival) {
        List<TraceEvent> effects = lineage.consequences(arrival);
        effects.stream()
                .filter(HcaEvent.Discarded.class::isInstance)
                .map(HcaEvent.Discarded.class::cast)
                .forEach(refusal -> dropped(arrival, refusal));
    }

    private void dropped(FabricEvent.Delivered arrival, HcaEvent.Discarded refusal) {
        if (refusal.reason() == Ignored.Plainly.BACKLOG_FULL) {
            withoutRoom = Optional.of(arrival);
        } else {
            count(
                    dropped,
                    refusal.port() + " dropped " + Wording.of(arrival.packet()) + ": "
                            + ReasonTexts.of(refusal.reason()));
        }
    }

    private static void count(Map<String, Integer> groups, String name) {
        groups.merge(name, 1, Integer::sum);
    }

    private void say(String what, Map<String, Integer> groups) {
        groups.forEach((name, count) -> explanation.say(what + name + (count == 1 ? "" : " (" + count + " times)")));
    }

    // rule cm-listen
    private void noRoom(FabricEvent.Delivered arrival, String service) {
        explanation.say(arrival.port() + " dropped the REQ that arrived at " + at(arrival)
                + " us: as many requests waited at " + service + " as its backlog allows");
        history.undecided(arrival.port(), service, arrival).forEach(this::undecided);
    }

    private void undecided(ConnectionChanged request) {
        explanation
                .show(request)
                .say(request.port() + "'s program had not decided on the request of " + request.peer()
                        + ", which waited since " + at(request) + " us");
    }

    private void peer() {
        List<ConnectionChanged> steps = history.stepsOfPeer(end)
                .filter(each -> each.stamp().id() < until)
                .toList();
        if (!steps.isEmpty() && steps.getLast().step() == ConnectionStep.REQUESTED) {
            undecided(steps.getLast());
        }
        history.step(end, ConnectionStep.REPLIED)
                .filter(replied -> replied.stamp().id() < until)
                .ifPresent(replied -> explanation
                        .show(replied)
                        .say("the answer of " + end.peer() + " arrived at " + at(replied) + " us, and qp" + end.qp()
                                + " has not reached RTS since"));
    }

    private static String at(TraceEvent event) {
        return Wording.micros(event.stamp().nanos());
    }
}
