// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.mad.RejectReason;

/** Descriptions of the steps of a connection; empty for a step that the packet next to it already shows. */
final class ConnectionWording {
    private ConnectionWording() {}

    static Optional<String> of(HcaEvent.ConnectionChanged event) {
        String qp = "qp" + event.qp();
        return switch (event.step()) {
            case ASKED -> Optional.of(qp + " asks " + event.peer() + " for a connection");
            case REQUESTED -> Optional.of("a request of " + event.peer() + " waits for the program");
            case ACCEPTED, REPLIED, DISCONNECTING -> Optional.empty();
            case REJECTED -> Optional.of("the program rejects the request of " + event.peer());
            case ESTABLISHED -> Optional.of(qp + " is connected to " + event.peer());
            case REJECTED_BY_PEER ->
                Optional.of(qp + " is rejected by " + event.peer() + ": " + reason(event.reason()));
            case UNANSWERED -> Optional.of(qp + " is not connected: " + event.peer() + " did not answer");
            case WITHDRAWN -> Optional.of("the request of " + event.peer() + " no longer waits");
            case DISCONNECTED -> Optional.of(qp + " is disconnected");
            case CLOSED_BY_PEER -> Optional.of(qp + " is disconnected by " + event.peer());
        };
    }

    /** Describes a step that {@link #of} omits. */
    static Optional<String> detail(HcaEvent.ConnectionChanged event) {
        String qp = "qp" + event.qp();
        return switch (event.step()) {
            case ACCEPTED -> Optional.of("the program accepts the request of " + event.peer() + " with " + qp);
            case REPLIED -> Optional.of(qp + " is accepted by " + event.peer());
            case DISCONNECTING -> Optional.of("the program disconnects " + qp + " from " + event.peer());
            case ASKED,
                    REQUESTED,
                    REJECTED,
                    ESTABLISHED,
                    REJECTED_BY_PEER,
                    UNANSWERED,
                    WITHDRAWN,
                    DISCONNECTED,
                    CLOSED_BY_PEER -> Optional.empty();
        };
    }

    private static String reason(int code) {
        return RejectReason.of(code).map(RejectReason::text).orElse("reason " + code);
    }
}
