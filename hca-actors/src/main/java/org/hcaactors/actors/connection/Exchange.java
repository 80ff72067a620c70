// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.connection;

import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.connection.ConnectionEnd;
import org.hcaactors.fabric.mad.CmMessage.ConnectReply;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.PortAddress;
import org.jspecify.annotations.Nullable;

/** One connection. Its verbs are answered by effects. */
final class Exchange {
    /** Program's side of a connection that has ended. */
    static final ConnectionUser ENDED = new ConnectionUser() {
        @Override
        public void withdrawn() {}

        @Override
        public void ended(ConnectionEnd.Cause cause, Octets privateData) {}
    };

    final int commId;
    final PortAddress peer;
    ConnectionUser user;
    int qpNumber;
    long lastEvent;

    @Nullable
    Reply<ConnectReply> reply;

    @Nullable
    Reply<Void> established;

    Exchange(int commId, ConnectionUser user, PortAddress peer) {
        this.commId = commId;
        this.user = user;
        this.peer = peer;
    }

    /** Fails what the program waits for; false if it waits for nothing. */
    boolean fail(RuntimeException reason) {
        boolean waits = reply != null || established != null;
        if (reply != null) {
            reply.fail(reason);
            reply = null;
        }
        if (established != null) {
            established.fail(reason);
            established = null;
        }
        return waits;
    }
}
