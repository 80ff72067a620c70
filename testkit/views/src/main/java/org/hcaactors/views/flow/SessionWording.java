// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;

/** Descriptions of the steps of a DC session; empty for a step that the packet next to it already shows. */
final class SessionWording {
    private SessionWording() {}

    static Optional<String> of(HcaEvent.SessionChanged event) {
        String peer = "initiator " + event.peer();
        return switch (event.step()) {
            case CONNECTING, RECONNECTING, DISCONNECTING, CLOSED, CNAK_SENT, NO_RESPONDER, WRONG_KEY ->
                Optional.empty();
            case CONNECTED ->
                Optional.of("%s is connected to target %d, session %d"
                        .formatted(event.element(), event.peer(), event.session()));
            case DISCONNECTED -> Optional.of(event.element() + " is disconnected");
            case OPENED -> Optional.of("dcr%d serves %s".formatted(event.session(), peer));
        };
    }
}
