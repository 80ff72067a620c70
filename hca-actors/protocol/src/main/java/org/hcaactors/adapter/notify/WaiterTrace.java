// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.notify;

import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.NotifyOutcome;
import org.hcaactors.api.completion.WakeCause;
import org.hcaactors.fabric.flow.Element;

/**
 * Trace of one thread.
 *
 * @param number number of the thread
 */
public record WaiterTrace(AdapterTrace trace, int number) {
    private Element element() {
        return Element.waiter(number);
    }

    public void named(int queue) {
        if (trace.enabled()) {
            trace.record(
                    0, at -> new HcaEvent.WaiterAttached(at, trace.port(), Element.completionQueue(queue), element()));
        }
    }

    public void notified(int queue, NotifyOutcome outcome) {
        if (trace.enabled()) {
            trace.record(
                    0,
                    at -> new HcaEvent.Notified(at, trace.port(), Element.completionQueue(queue), element(), outcome));
        }
    }

    public void sleeps() {
        if (trace.enabled()) {
            trace.record(0, at -> new HcaEvent.WaiterSleeps(at, trace.port(), element()));
        }
    }

    public void wakes(WakeCause cause) {
        if (trace.enabled()) {
            trace.record(0, at -> new HcaEvent.WaiterWakes(at, trace.port(), element(), cause));
        }
    }

    public void keeps(WakeCause cause) {
        if (trace.enabled()) {
            trace.record(0, at -> new HcaEvent.WakeLatched(at, trace.port(), element(), cause));
        }
    }

    public void waitFailed() {
        if (trace.enabled()) {
            trace.record(0, at -> new HcaEvent.WaitFailed(at, trace.port(), element()));
        }
    }

    public void ended() {
        if (trace.enabled()) {
            trace.record(0, at -> new HcaEvent.WaiterEnded(at, trace.port(), element()));
        }
    }
}
