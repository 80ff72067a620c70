// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import java.time.Duration;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.flow.EventSink;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.fabric.flow.Element;

/**
 * Trace of one completion queue.
 *
 * @param number number of the queue
 */
public record CqTrace(AdapterTrace trace, int number) {
    private Element element() {
        return Element.completionQueue(number);
    }

    public boolean enabled() {
        return trace.enabled();
    }

    /** Records the pages of the ring's buffer. */
    public void usesPages(AllocatedPages buffer) {
        if (trace.enabled() && buffer.isTypeRequested()) {
            trace.record(0, at -> new HcaEvent.PagesAllocated(at, trace.port(), element(), buffer.layout()));
        }
    }

    public void armed(CompletionQueue.Arm what) {
        if (trace.enabled()) {
            trace.record(0, at -> new HcaEvent.Armed(at, trace.port(), element(), what));
        }
    }

    public void moderated(int entries, Duration period) {
        if (trace.enabled()) {
            trace.record(0, at -> new HcaEvent.Moderated(at, trace.port(), element(), entries, period));
        }
    }

    public void written(WorkCompletion entry, boolean solicited) {
        if (trace.enabled()) {
            trace.record(
                    0,
                    at -> new HcaEvent.EntryWritten(
                            at, trace.port(), element(), entry.qpNumber(), entry.workId(), solicited));
        }
    }

    /** Reports an asynchronous event to the trace and to the program. */
    public void raise(AsyncEvent.Kind kind, Reason reason, EventSink program) {
        trace.raise(new AsyncEvent(kind, number), reason, program);
    }

    public void taken(int entries) {
        if (trace.enabled() && entries > 0) {
            trace.record(0, at -> new HcaEvent.EntriesTaken(at, trace.port(), element(), entries));
        }
    }

    public void returned(int entries) {
        if (trace.enabled() && entries > 0) {
            trace.record(0, at -> new HcaEvent.EntriesReturned(at, trace.port(), element(), entries));
        }
    }

    public void notifies(int waiter) {
        if (trace.enabled()) {
            trace.record(0, at -> new HcaEvent.NotifySent(at, trace.port(), element(), Element.waiter(waiter)));
        }
    }

    public void woken() {
        if (trace.enabled()) {
            trace.record(0, at -> new HcaEvent.Woken(at, trace.port(), element()));
        }
    }
}
