// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

import java.util.function.Function;
import java.util.function.LongSupplier;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceSink;

/**
 * Trace of one adapter: gives each event an id, the time and a cause.
 *
 * @param sink receives the events
 * @param clock the network's clock
 * @param port name of the adapter's port
 */
public record AdapterTrace(TraceSink sink, LongSupplier clock, String port) {
    public boolean enabled() {
        return sink.enabled();
    }

    /** Builds the event from its stamp, records it and returns its id. Call it only if {@link #enabled}. */
    public long record(long cause, Function<Stamp, HcaEvent> event) {
        return record(cause, 0, event);
    }

    /** Reports an asynchronous event to the trace, if it is enabled, and to the program. */
    public void raise(long cause, AsyncEvent event, Reason reason, EventSink program) {
        if (enabled()) {
            record(cause, at -> new HcaEvent.Raised(at, port, event, reason));
        }
        program.raise(event);
    }

    public void raise(AsyncEvent event, Reason reason, EventSink program) {
        raise(0, event, reason, program);
    }

    /** Records an event with a second cause; returns its id. */
    public long record(long cause, long otherCause, Function<Stamp, HcaEvent> event) {
        long id = sink.nextId();
        sink.record(event.apply(new Stamp(id, clock.getAsLong(), cause, otherCause)));
        return id;
    }
}
