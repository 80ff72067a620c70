// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.hcaactors.adapter.flow.ConnectionStep;
import org.hcaactors.adapter.flow.HcaEvent.ConnectionChanged;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.mad.CmAttribute;
import org.hcaactors.fabric.mad.CmCodec;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.mad.CmMessage;
import org.hcaactors.fabric.mad.CmMessage.ConnectRequest;
import org.hcaactors.fabric.mad.CmMessage.OfConnection;
import org.hcaactors.fabric.mad.CmMessage.ToKnownPeer;
import org.hcaactors.views.flow.CmCodes;
import org.hcaactors.views.flow.Lineage;

/** Messages of communication management in a run, and the steps of their connections. */
final class CmHistory {
    /** A message with its sending. */
    record Message(FabricEvent.Sent sent, CmDatagram datagram) {
        boolean is(CmAttribute kind) {
            return datagram.message().attribute() == kind;
        }

        /** Returns the service ID of a REQ as {@code TCP port 7174}. */
        String service() {
            return datagram.message() instanceof ConnectRequest request
                    ? CmCodes.service(request.serviceId())
                    : "the service";
        }
    }

    private final Lineage lineage;
    private final List<Message> messages;
    private final List<ConnectionChanged> steps;

    CmHistory(Lineage lineage) {
        this.lineage = lineage;
        messages = lineage.events().stream()
                .filter(FabricEvent.Sent.class::isInstance)
                .map(FabricEvent.Sent.class::cast)
                .flatMap(sent -> CmCodec.decode(sent.packet()).map(datagram -> new Message(sent, datagram)).stream())
                .toList();
        steps = lineage.events().stream()
                .filter(ConnectionChanged.class::isInstance)
                .map(ConnectionChanged.class::cast)
                .toList();
    }

    Optional<Message> message(FabricEvent packet) {
        return lineage.sending(packet)
                .flatMap(sent -> messages.stream()
                        .filter(each -> each.sent().equals(sent))
                        .findFirst());
    }

    /** Returns the messages that the end sent for its connection, oldest first. */
    List<Message> sentBy(ConnectionChanged end) {
        return messages.stream()
                .filter(each -> each.sent().port().equals(end.port()))
                .filter(each -> each.sent().packet().route().destination().equals(end.peer()))
                .filter(each -> isFrom(end.commId(), each.datagram().message()))
                .toList();
    }

    private static boolean isFrom(int commId, CmMessage message) {
        return message instanceof OfConnection of && of.localCommId() == commId;
    }

    /** Returns the messages that the peer sent for the connection, oldest first. */
    List<Message> sentTo(ConnectionChanged end) {
        Optional<Integer> peerId = request(end).map(Message::datagram).map(CmHistory::localId);
        return messages.stream()
                .filter(each -> each.sent().packet().route().source().equals(end.peer()))
                .filter(each -> each.datagram().message() instanceof ToKnownPeer known
                                && known.remoteCommId() == end.commId()
                        || peerId.filter(id -> isFrom(id, each.datagram().message()))
                                .isPresent())
                .toList();
    }

    private static int localId(CmDatagram datagram) {
        return datagram.message() instanceof OfConnection of ? of.localCommId() : 0;
    }

    /** Returns the REQ that a passive end got; empty for an active end. */
    Optional<Message> request(ConnectionChanged end) {
        return step(end, ConnectionStep.REQUESTED)
                .flatMap(lineage::cause)
                .filter(FabricEvent.class::isInstance)
                .map(FabricEvent.class::cast)
                .flatMap(this::message);
    }

    /** Returns that step of the same end. */
    Optional<ConnectionChanged> step(ConnectionChanged end, ConnectionStep step) {
        return stepsOf(end).filter(each -> each.step() == step).findFirst();
    }

    /** Returns the steps of the same end, oldest first. */
    Stream<ConnectionChanged> stepsOf(ConnectionChanged end) {
        return steps.stream().filter(each -> each.port().equals(end.port()) && each.commId() == end.commId());
    }

    /** Returns the steps of the peer's end, oldest first. */
    Stream<ConnectionChanged> stepsOfPeer(ConnectionChanged end) {
        Optional<ConnectionChanged> peer = request(end)
                .flatMap(request -> steps.stream()
                        .filter(each -> each.port().equals(request.sent().port())
                                && each.commId() == localId(request.datagram()))
                        .findFirst())
                .or(() -> sentBy(end).stream()
                        .flatMap(message -> lineage.fates(message.sent()).stream())
                        .flatMap(fate -> lineage.consequences(fate, ConnectionChanged.class).stream())
                        .findFirst());
        return peer.stream().flatMap(this::stepsOf);
    }

    /** Returns the first sending of a message that may have been repeated. */
    Message first(Message message) {
        return messages.stream()
                .filter(each -> each.sent().port().equals(message.sent().port())
                        && each.datagram().transactionId() == message.datagram().transactionId()
                        && each.is(message.datagram().message().attribute()))
                .findFirst()
                .orElse(message);
    }

    /** Returns the REJs of a passive end to its REQ; they may lack the ID of this end. */
    List<Message> answers(ConnectionChanged end) {
        return request(end).stream()
                .flatMap(request -> messages.stream()
                        .filter(each -> each.sent().port().equals(end.port())
                                && each.is(CmAttribute.REJ)
                                && each.datagram().transactionId()
                                        == request.datagram().transactionId()))
                .toList();
    }

    /** Returns the messages that were sent because of that event. */
    List<Message> because(TraceEvent event) {
        return lineage.consequences(event, FabricEvent.Sent.class).stream()
                .flatMap(sent -> message(sent).stream())
                .toList();
    }

    /** Returns the requests that waited for a program at that service when the event happened, oldest first. */
    List<ConnectionChanged> undecided(String port, String service, TraceEvent at) {
        return steps.stream()
                .filter(each -> each.step() == ConnectionStep.REQUESTED
                        && each.port().equals(port)
                        && each.stamp().id() < at.stamp().id())
                .filter(each ->
                        request(each).filter(of -> of.service().equals(service)).isPresent())
                .filter(each -> stepsOf(each)
                        .noneMatch(later -> later.step() != ConnectionStep.REQUESTED
                                && later.stamp().id() < at.stamp().id()))
                .toList();
    }
}
