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
            case ASKED -> Optional.of(qp + " is to be connected to " + event.peer());
            case REQUESTED -> Optional.of("a request of " + event.peer() + " waits for the program");
            case ACCEPTED, REPLIED, DISCONNECTING -> Optional.empty();
            case REJECTED -> Optional.of("the program rejects the request of " + event.peer());
            case ESTABLISHED -> Optional.of(qp + " is connected to " + event.peer());
            case REJECTED_BY_PEER -> Optional.of(event.peer() + " rejects " + qp + ": " + reason(event.reason()));
            case UNANSWERED -> Optional.of(event.peer() + " did not answer: " + qp + " is not connected");
            case WITHDRAWN -> Optional.of("the request of " + event.peer() + " no longer waits");
            case DISCONNECTED -> Optional.of(qp + " is disconnected");
            case CLOSED_BY_PEER -> Optional.of(qp + " is disconnected by its peer");
        };
    }

    private static String reason(int code) {
        return RejectReason.of(code).map(RejectReason::text).orElse("reason " + code);
    }
}
