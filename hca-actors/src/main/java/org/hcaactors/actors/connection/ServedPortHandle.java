// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.connection;

import java.net.InetSocketAddress;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.connection.ServedPort;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.fabric.mad.IpService;

/** Handle of a datagram service. */
public record ServedPortHandle(ConnectionOwner owner, InetSocketAddress address, UdQueuePair queuePair, QKey qkey)
        implements ServedPort {
    /** Begins to serve; EADDRINUSE if another program serves there. */
    public CompletionStage<Void> serve() {
        return owner.manage(reply -> new CmActor.Serve(this, reply));
    }

    long service() {
        return IpService.serviceId(IpService.UDP, address.getPort());
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return owner.<Void>manage(reply -> new CmActor.Unserve(this, reply))
                .exceptionally(gone -> null)
                .thenRun(() -> owner.closed(this));
    }

    @Override
    public void close() {
        owner.commandSender().await(closeAsync());
    }

    @Override
    public String describe() {
        return "datagram service at port " + address.getPort();
    }

    @Override
    public String toString() {
        return describe();
    }
}
