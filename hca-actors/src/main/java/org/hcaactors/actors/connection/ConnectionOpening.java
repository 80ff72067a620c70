// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.connection;

import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.cm.CmQueuePair;
import org.hcaactors.adapter.cm.CmTerms;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.error.VerbsException;
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
    /** Asks the peer, and completes when both ends can send; throws a ConnectionException without a source address. */
    public CompletionStage<Connection> begin() {
        if (description.privateData().remaining() > ConnectionDescription.MAX_REQUEST_DATA) {
            return CompletableFuture.failedStage(VerbsException.invalid("the private data of a request have "
                    + description.privateData().remaining() + " bytes; at most "
                    + ConnectionDescription.MAX_REQUEST_DATA + " are allowed"));
        }
        PortAddress source = Addresses.sourceFor(to, owner.localPort());
        InetSocketAddress local = Addresses.socket(source, localPort);
        ConnectionHandle made = new ConnectionHandle(owner, local, Addresses.socket(to, port), () -> {});
        return made.make(description, end -> ask(made, end, source));
    }

    private CompletionStage<Void> ask(ConnectionHandle made, CmQueuePair end, PortAddress source) {
        Octets data = new IpService(localPort, source, to).with(Addresses.octets(description.privateData()));
        CmTerms terms = end.asked(source, to);
        long service = IpService.serviceId(IpService.TCP, port);
        return made.<ConnectReply>manage(reply -> new CmActor.Connect(made, to, service, terms, data, reply))
                .thenCompose(reply -> {
                    made.receives(Addresses.buffer(reply.privateData()));
                    return connected(made, end.ofActive(to, reply));
                })
                .thenCompose(ready -> made.manage(reply -> new CmActor.Ready(made, reply)));
    }

    private static CompletionStage<Void> connected(ConnectionHandle made, CmQueuePair.BringUp attributes) {
        return made.qp()
                .modify(attributes.toRtr())
                .thenCompose(ready -> made.qp().modify(attributes.toRts()));
    }
}
