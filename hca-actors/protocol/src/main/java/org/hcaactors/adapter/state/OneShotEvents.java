// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import org.hcaactors.adapter.flow.EventDetail;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.device.AsyncEvent;

/** Asynchronous events that a queue pair raises only once, however often their cause occurs. */
final class OneShotEvents {
    private final QpSettings settings;
    private boolean established;
    private boolean drained;

    OneShotEvents(QpSettings settings) {
        this.settings = settings;
    }

    // rule event-comm-est
    /** A packet arrived in RTR. */
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
    /** Every sent request is answered. Whether the event is raised was set when the drain began. */
    void drained(Turn turn) {
        if (!drained) {
            drained = true;
            if (settings.notifyWhenDrained) {
                turn.raise(AsyncEvent.Kind.SQ_DRAINED, EventDetail.Plainly.DRAINED);
            }
        }
    }

    /** After a reset the events may be raised again. */
    void reset() {
        established = false;
    }
}
