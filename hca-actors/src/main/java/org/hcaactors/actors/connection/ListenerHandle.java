// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.connection;

import java.net.InetSocketAddress;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.hcaactors.actors.event.EventQueueActor;
import org.hcaactors.actors.stage.ActorHandle;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.adapter.cm.CmEffect;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.connection.ConnectionRequest;
import org.hcaactors.fabric.mad.IpService;

/** Handle of a listener. */
public record ListenerHandle(
        ConnectionOwner owner,
        InetSocketAddress address,
        int backlog,
        CommandSender<EventQueueActor.Command<ConnectionRequest>> commandSender)
        implements ConnectionListener, ActorHandle {
    /** Begins to listen; EADDRINUSE if something listens there. */
    public CompletionStage<Void> listen() {
        return owner.manage(reply -> new CmActor.Listen(this, reply));
    }

    /** Returns the service ID at which it listens. */
    long service() {
        return IpService.serviceId(IpService.TCP, address.getPort());
    }

    /** A peer asks for a connection; returns the program's side of it. Called on the adapter's thread. */
    ConnectionHandle requested(CmEffect.Requested requested) {
        RequestHandle request = new RequestHandle(owner, address, requested, this::withdrawn);
        commandSender.actor().tell(new EventQueueActor.Raised<>(request));
        return request.user();
    }

    /** A request that no longer waits takes no space. */
    private void withdrawn(ConnectionRequest request) {
        commandSender
                .actor()
                .tell(new EventQueueActor.Settle<>(each -> each == request, new Reply<>(commandSender.callers())));
    }

    /** No more requests arrive, since the adapter failed. Called on the adapter's thread. */
    void failed() {
        commandSender.close(EventQueueActor.Destroy::new);
    }

    @Override
    public Flow.Publisher<ConnectionRequest> requests() {
        return commandSender.publisher(EventQueueActor.Subscribe::new);
    }

    @Override
    public CompletionStage<ConnectionRequest> next() {
        return commandSender.ask(EventQueueActor.Next::new);
    }

    // rule cm-listen
    /** Rejects the requests that wait, and then completes the stream. */
    @Override
    public CompletionStage<Void> destroy() {
        return owner.<Void>manage(reply -> new CmActor.Unlisten(this, reply))
                .exceptionally(gone -> null)
                .thenCompose(done -> commandSender.close(EventQueueActor.Destroy::new));
    }

    @Override
    public String toString() {
        return describe();
    }
}
