// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.connection;

import java.util.Optional;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.connection.ConnectionEnd;
import org.hcaactors.fabric.mad.CmMessage.ConnectReply;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.PortAddress;
import org.jspecify.annotations.Nullable;

/** One connection. Its verbs are answered by effects. */
final class Exchange {
    final int commId;
    final PortAddress peer;

    /** Null once it has ended: the program's side can be collected while the connection is remembered. */
    private @Nullable ConnectionHandle user;

    int qpNumber;
    long lastEvent;

    @Nullable
    Reply<ConnectReply> reply;

    @Nullable
    Reply<Void> established;

    Exchange(int commId, ConnectionHandle user, PortAddress peer) {
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

    void withdrawn() {
        if (user != null) {
            user.withdrawn();
        }
    }

    void ended(ConnectionEnd.Cause cause, Octets privateData) {
        if (user != null) {
            user.ended(cause, privateData);
        }
    }

    /** Returns the program's side, and forgets it. */
    Optional<ConnectionHandle> take() {
        Optional<ConnectionHandle> last = Optional.ofNullable(user);
        user = null;
        return last;
    }
}
