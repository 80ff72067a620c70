// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.connection;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.hcaactors.adapter.cm.CmEffect;
import org.hcaactors.adapter.cm.CmQueuePair;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionRequest;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.fabric.mad.CmMessage.ConnectRequest;
import org.hcaactors.fabric.mad.IpService;
import org.hcaactors.fabric.mad.RejectReason;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.PortAddress;

/** A peer's request, and the passive end of the connection that it becomes. */
final class RequestHandle implements ConnectionRequest {
    private final ConnectionOwner owner;
    private final ConnectRequest request;
    private final PortAddress from;
    private final ConnectionHandle made;
    private final AtomicBoolean decided = new AtomicBoolean();

    /** @param onWithdrawn called on the adapter's thread if the peer no longer waits for the decision */
    RequestHandle(
            ConnectionOwner owner,
            InetSocketAddress listener,
            CmEffect.Requested requested,
            Consumer<ConnectionRequest> onWithdrawn) {
        this.owner = owner;
        request = requested.request();
        from = requested.from();
        Octets data = request.privateData();
        Optional<IpService> ip = IpService.read(data);
        int port = ip.map(IpService::sourcePort).orElse(0);
        PortAddress asked = request.primary().remote();
        InetSocketAddress local =
                owner.localPort().indexOf(asked).isPresent() ? Addresses.socket(asked, listener.getPort()) : listener;
        made = new ConnectionHandle(owner, local, Addresses.socket(from, port), () -> onWithdrawn.accept(this));
        // rule cm-ip-addresses
        int header = ip.isPresent() ? IpService.BYTES : 0;
        made.receives(Addresses.buffer(data.slice(header, data.length() - header)));
    }

    @Override
    public InetSocketAddress peer() {
        return made.peer();
    }

    @Override
    public ByteBuffer privateData() {
        return made.privateData();
    }

    @Override
    public int peerRdAtomic() {
        return request.limits().initiatorDepth();
    }

    @Override
    public boolean isWithdrawn() {
        return made.isWithdrawn();
    }

    @Override
    public CompletionStage<Connection> accept(ConnectionDescription description) {
        Objects.requireNonNull(description, "description");
        if (!decided.compareAndSet(false, true)) {
            return CompletableFuture.failedStage(decidedBefore());
        }
        owner.manage(new CmActor.Accepting(made));
        return made.make(
                description,
                end -> accept(end, Addresses.octets(description.privateData(), ConnectionDescription.MAX_ACCEPT_DATA)));
    }

    // rule cm-first-message
    /** The queue pair receives before the peer may send, and sends when the peer is ready. */
    private CompletionStage<Void> accept(CmQueuePair end, Octets data) {
        CmQueuePair.BringUp attributes = end.ofPassive(from, request);
        return made.qp()
                .modify(attributes.toRtr())
                .thenCompose(ready ->
                        made.<Void>manage(reply -> new CmActor.Accept(made, end.accepted(request), data, reply)))
                .thenCompose(established -> made.sends(attributes.toRts()));
    }

    private VerbsException decidedBefore() {
        return VerbsException.invalid("the request of " + peer() + " was accepted or rejected before");
    }

    @Override
    public CompletionStage<Void> reject(ByteBuffer privateData) {
        Octets data;
        try {
            data = Addresses.octets(privateData, ConnectionDescription.MAX_REJECT_DATA);
        } catch (VerbsException tooLong) {
            return CompletableFuture.failedStage(tooLong);
        }
        if (!decided.compareAndSet(false, true)) {
            return CompletableFuture.failedStage(decidedBefore());
        }
        return owner.manage(reply -> new CmActor.Reject(made, RejectReason.CONSUMER_DEFINED, data, reply));
    }

    /** Returns the side of the connection that commands name. */
    ConnectionHandle user() {
        return made;
    }

    @Override
    public String toString() {
        return "request of " + peer() + (isWithdrawn() ? ", withdrawn" : "");
    }
}
