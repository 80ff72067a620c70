// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import org.hcaactors.adapter.flow.EventDetail;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.device.AsyncEvent;

/** Events that a queue pair raises once, however often there would be cause. */
final class OneShotEvents {
    private final QpSettings settings;
    private boolean established;
    private boolean drained;

    OneShotEvents(QpSettings settings) {
        this.settings = settings;
    }

    // rule event-comm-est
    /** A packet came in RTR. */
    void firstPacket(Turn turn) {
        if (!established) {
            established = true;
            turn.raise(AsyncEvent.Kind.COMM_EST, EventDetail.Plainly.FIRST_PACKET_IN_RTR);
        }
    }

    void drainBegins() {
        drained = false;
    }

    // rule qp-drain
    /** Nothing that it sent is unanswered; whether that is told was asked for when the drain began. */
    void drained(Turn turn) {
        if (!drained) {
            drained = true;
            if (settings.notifyWhenDrained) {
                turn.raise(AsyncEvent.Kind.SQ_DRAINED, EventDetail.Plainly.DRAINED);
            }
        }
    }

    /** A queue pair that is reset is a new one. */
    void reset() {
        established = false;
    }
}
