// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.Optional;
import java.util.function.Consumer;
import org.hcaactors.adapter.flow.ConnectionStep;
import org.hcaactors.adapter.flow.HcaEvent.ConnectionChanged;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.mad.CmAttribute;
import org.hcaactors.fabric.mad.CmMessage.ConnectReject;
import org.hcaactors.fabric.mad.RejectReason;
import org.hcaactors.views.explain.CmHistory.Message;
import org.hcaactors.views.flow.Lineage;
import org.hcaactors.views.flow.TestkitEvent;
import org.hcaactors.views.flow.Wording;

/** Explains how a connection of communication management ended, or why it was not made. */
final class ConnectionCauses {
    private final ExplanationBuilder explanation;
    private final Lineage lineage;
    private final CmHistory history;
    private final Consumer<FabricEvent.Delivered> tampering;

    /** @param tampering explains what a fault did to a packet that arrived */
    ConnectionCauses(ExplanationBuilder explanation, Consumer<FabricEvent.Delivered> tampering) {
        this.explanation = explanation;
        this.tampering = tampering;
        lineage = explanation.lineage();
        history = new CmHistory(lineage);
    }

    /** True for steps that are explained here. */
    static boolean isExplained(ConnectionStep step) {
        return switch (step) {
            case REJECTED_BY_PEER, UNANSWERED, WITHDRAWN, DISCONNECTED, CLOSED_BY_PEER -> true;
            case ASKED, REQUESTED, ACCEPTED, REPLIED, ESTABLISHED, REJECTED, DISCONNECTING -> false;
        };
    }

    /** Explains the causes of a step. */
    void explain(ConnectionChanged step) {
        switch (step.step()) {
            case UNANSWERED -> attempts(step, step.stamp().id());
            case WITHDRAWN -> withdrawn(step);
            case DISCONNECTED -> disconnected(step);
            default -> byMessage(step);
        }
    }

    /** Explains why an end has no answer. */
    void attempts(ConnectionChanged end, long until) {
        new CmAttempts(explanation, history, end, until).explain();
    }

    /** Returns the packet that caused a step, if need be through earlier steps of the same moment. */
    private Optional<FabricEvent.Delivered> arrival(ConnectionChanged step) {
        Optional<TraceEvent> at = lineage.cause(step);
        while (at.filter(ConnectionChanged.class::isInstance).isPresent()) {
            at = at.flatMap(lineage::cause);
        }
        return at.filter(FabricEvent.Delivered.class::isInstance).map(FabricEvent.Delivered.class::cast);
    }

    /** Explains a step by the message that caused it; false if none did. */
    private boolean byMessage(ConnectionChanged step) {
        Optional<FabricEvent.Delivered> arrival = arrival(step);
        arrival.ifPresent(packet -> {
            tampering.accept(packet);
            history.message(packet).ifPresent(message -> {
                explanation.show(message.sent());
                explanation.say(message.sent().port() + " sent "
                        + Wording.of(message.sent().packet()));
                sender(step, history.first(message));
            });
        });
        return arrival.isPresent();
    }

    /** Explains why a peer sent a REJ, DREQ or DREP. */
    private void sender(ConnectionChanged step, Message message) {
        explanation.show(message.sent());
        Optional<TraceEvent> cause = lineage.cause(message.sent());
        if (cause.isPresent() && cause.get() instanceof ConnectionChanged own) {
            explanation.show(own).say(Narrator.words(own));
            processEnd(own, own.port());
        } else if (cause.isPresent() && cause.get() instanceof FabricEvent.Delivered arrival) {
            adapter(message, arrival);
        } else {
            byItself(step, message);
        }
    }

    /** Explains what an adapter answered without its program. */
    private void adapter(Message answer, FabricEvent.Delivered arrival) {
        Optional<Message> asked = history.message(arrival);
        asked.ifPresent(each -> explanation.show(each.sent()));
        String service = asked.map(Message::service).orElse("the service");
        String port = answer.sent().port();
        if (answer.is(CmAttribute.DREQ)) {
            explanation.say(port + " received " + Wording.of(arrival.packet())
                    + " from a queue pair that was connected: its peer has started again");
            tampering.accept(arrival);
            return;
        }
        if (!(answer.datagram().message() instanceof ConnectReject reject)) {
            return;
        }
        switch (RejectReason.of(reject.reason()).orElse(RejectReason.UNSUPPORTED)) {
            case INVALID_SERVICE_ID ->
                explanation.say("nothing listened at " + service + " of " + port + " when the REQ arrived, at "
                        + at(arrival) + " us");
            case STALE_CONNECTION -> stale(port, arrival);
            case INVALID_TRANSPORT_TYPE ->
                explanation.say(port + " connects RC queue pairs only, and the REQ is for another transport");
            case NO_RESOURCES -> explanation.say(port + " had as many connections as an adapter can have");
            case INVALID_COMM_ID -> explanation.say(port + " knew no connection that the message belongs to");
            default -> {}
        }
        tampering.accept(arrival);
    }

    // rule cm-stale
    private void stale(String port, FabricEvent.Delivered arrival) {
        explanation.say(port + " still had a connection with the queue pair of "
                + arrival.packet().route().source());
        history.because(arrival).stream()
                .filter(each -> each.is(CmAttribute.DREQ))
                .findFirst()
                .ifPresent(dreq -> explanation
                        .show(dreq.sent())
                        .say(port + " ends that connection: "
                                + Wording.of(dreq.sent().packet())));
    }

    /** Explains a message without a cause in the trace: a time was over, or a program let the connection go. */
    private void byItself(ConnectionChanged step, Message message) {
        Optional<ConnectionChanged> own = history.stepsOfPeer(step)
                .filter(each -> each.stamp().nanos() == message.sent().stamp().nanos())
                .filter(each -> each.step() == ConnectionStep.UNANSWERED || each.step() == ConnectionStep.WITHDRAWN)
                .findFirst();
        if (own.isPresent()) {
            explanation.show(own.get()).say(Narrator.words(own.get()));
            explain(own.get());
        } else if (message.is(CmAttribute.DREQ)) {
            gone(message, "ended or closed its adapter without disconnecting");
        } else if (message.is(CmAttribute.REJ)) {
            gone(message, "let the connection go while it was made");
        }
    }

    private void gone(Message message, String what) {
        String port = message.sent().port();
        explanation.say(port + "'s program " + what);
        processEnd(message.sent(), port);
    }

    /** Blames a fault that ended the process at that moment. */
    private void processEnd(TraceEvent event, String port) {
        explanation
                .lastBefore(
                        event,
                        TestkitEvent.class,
                        bench -> bench.port().equals(port)
                                && bench.stamp().nanos() == event.stamp().nanos()
                                && bench.element().startsWith("process "))
                .ifPresent(bench -> explanation.show(bench).say("the testkit: " + bench.what()));
    }

    // rules cm-listen, cm-undecided
    private void withdrawn(ConnectionChanged step) {
        if (byMessage(step)) {
            return;
        }
        String service = history.request(step).map(Message::service).orElse("the service");
        history.step(step, ConnectionStep.REQUESTED).ifPresent(requested -> {
            explanation.show(requested);
            explanation.say("the request had waited for the program since " + at(requested) + " us");
        });
        history.answers(step).stream()
                .filter(each -> each.sent().stamp().nanos() == step.stamp().nanos())
                .findFirst()
                .ifPresent(answer -> {
                    explanation.show(answer.sent());
                    boolean timeout = answer.datagram().message() instanceof ConnectReject reject
                            && reject.reason() == RejectReason.TIMEOUT.code();
                    explanation.say(
                            timeout
                                    ? "the program had not decided when its peer would have repeated the REQ for the last time"
                                    : step.port() + "'s program stopped listening at " + service);
                });
    }

    private void disconnected(ConnectionChanged step) {
        if (!byMessage(step)) {
            explanation.say(step.peer() + " confirmed none of the DREQs of " + step.port());
        }
        history.step(step, ConnectionStep.DISCONNECTING)
                .ifPresent(own -> explanation.show(own).say(Narrator.words(own)));
    }

    private static String at(TraceEvent event) {
        return Wording.micros(event.stamp().nanos());
    }
}
