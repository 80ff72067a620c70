// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

import java.util.function.Function;
import java.util.function.LongSupplier;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceSink;

/**
 * One adapter's way to the trace: stamps events with an id, the time and a cause.
 *
 * @param sink where events go
 * @param clock the network's
 * @param port name of the adapter's port
 */
public record AdapterTrace(TraceSink sink, LongSupplier clock, String port) {
    public boolean enabled() {
        return sink.enabled();
    }

    /** Records what {@code event} makes of the stamp; returns its id. Only to be called where {@link #enabled}. */
    public long record(long cause, Function<Stamp, HcaEvent> event) {
        return record(cause, 0, event);
    }

    /** Reports an asynchronous event to the trace, if there is one, and to the program. */
    public void raise(long cause, AsyncEvent event, Reason reason, EventSink program) {
        if (enabled()) {
            record(cause, at -> new HcaEvent.Raised(at, port, event, reason));
        }
        program.raise(event);
    }

    public void raise(AsyncEvent event, Reason reason, EventSink program) {
        raise(0, event, reason, program);
    }

    /** The same with a second cause. */
    public long record(long cause, long otherCause, Function<Stamp, HcaEvent> event) {
        long id = sink.nextId();
        sink.record(event.apply(new Stamp(id, clock.getAsLong(), cause, otherCause)));
        return id;
    }
}
