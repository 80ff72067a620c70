// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.connection;

import org.hcaactors.api.connection.ConnectionEnd;
import org.hcaactors.fabric.packet.Octets;

/** Program's side of one connection, by which commands name it. Called on the adapter's thread. */
interface ConnectionUser {
    /** The peer no longer waits for the decision about its request. */
    void withdrawn();

    /** An established connection has ended. */
    void ended(ConnectionEnd.Cause cause, Octets privateData);
}
