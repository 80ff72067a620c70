// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import java.util.Optional;
import java.util.OptionalLong;
import org.hcaactors.fabric.link.Endpoint;

/**
 * A packet that reached the border.
 *
 * @param event its arrival there, if it is traced
 * @param creditor the sender that gets a credit back when the packet has left, if there is one
 */
record Outgoing(Carried carried, OptionalLong event, Optional<Endpoint> creditor) {
    /** Returns a copy without a sender that gets a credit. */
    Outgoing withoutCreditor() {
        return new Outgoing(carried, event, Optional.empty());
    }

    /** Called once, when the packet has left or is lost; on one thread at a time. */
    void ends() {
        creditor.ifPresent(sender -> sender.left(1));
    }
}
