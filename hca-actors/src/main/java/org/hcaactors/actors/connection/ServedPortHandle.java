// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.connection;

import java.net.InetSocketAddress;
import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.cm.ServedNumber;
import org.hcaactors.api.connection.ServedPort;

/**
 * Handle of a served port.
 *
 * @param number that peers receive
 */
public record ServedPortHandle(ConnectionOwner owner, InetSocketAddress address, ServedNumber number)
        implements ServedPort {
    /** Begins to serve; EADDRINUSE if another program serves there. */
    public CompletionStage<Void> serve() {
        return owner.manage(reply -> new CmActor.Serve(this, reply));
    }

    long service() {
        return number.service(address.getPort());
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
        return number.kind() + " served at port " + address.getPort();
    }

    @Override
    public String toString() {
        return describe();
    }
}
