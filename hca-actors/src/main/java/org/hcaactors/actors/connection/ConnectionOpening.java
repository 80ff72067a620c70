// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.connection;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.actors.stage.Callers;
import org.hcaactors.adapter.cm.CmQueuePair;
import org.hcaactors.adapter.cm.CmTerms;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.fabric.mad.CmMessage.ConnectReply;
import org.hcaactors.fabric.mad.IpService;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.PortAddress;

/**
 * The active end of a new connection (rules cm-states, cm-ip-addresses).
 *
 * @param localPort port of this end
 */
public record ConnectionOpening(
        ConnectionOwner owner, PortAddress to, int port, int localPort, ConnectionDescription description) {
    /**
     * Asks the peer, and completes when both ends can send; throws what is refused at once.
     *
     * @param timeout after which it gives up
     */
    public CompletionStage<Connection> begin(Optional<Duration> timeout) {
        Octets ofProgram = Addresses.octets(description.privateData(), ConnectionDescription.MAX_REQUEST_DATA);
        PortAddress source = Addresses.sourceFor(to, owner.localPort());
        InetSocketAddress local = Addresses.socket(source, localPort);
        ConnectionHandle made = new ConnectionHandle(owner, local, Addresses.socket(to, port), () -> {});
        Callers callers = owner.commandSender().callers();
        Optional<CompletableFuture<Void>> timer =
                timeout.map(time -> callers.waiting().after(time, callers.executor()));
        timer.ifPresent(due -> due.thenRun(() -> made.giveUp(timeout.orElseThrow())));
        return made.make(description, end -> ask(made, end, source, ofProgram))
                .whenComplete((connection, failure) -> timer.ifPresent(due -> due.cancel(false)));
    }

    private CompletionStage<Void> ask(ConnectionHandle made, CmQueuePair end, PortAddress source, Octets ofProgram) {
        Octets data = new IpService(localPort, source, to).with(ofProgram);
        CmTerms terms = end.asked(source, to);
        long service = IpService.serviceId(IpService.TCP, port);
        return made.<ConnectReply>manage(reply -> new CmActor.Connect(made, to, service, terms, data, reply))
                .thenCompose(reply -> {
                    made.receives(Addresses.buffer(reply.privateData()));
                    return connected(made, end.ofActive(source, to, reply));
                })
                .thenCompose(ready -> made.manage(reply -> new CmActor.Ready(made, reply)));
    }

    private static CompletionStage<Void> connected(ConnectionHandle made, CmQueuePair.BringUp attributes) {
        return made.qp()
                .modify(attributes.toRtr())
                .thenCompose(ready -> made.qp().modify(attributes.toRts()));
    }
}
