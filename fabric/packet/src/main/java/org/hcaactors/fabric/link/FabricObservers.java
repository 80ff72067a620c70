// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.fabric.link.PacketsInFlight.Arrival;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;

/** Observers of the fabric: the trace and taps. If there are none, no events are created. */
final class FabricObservers {
    private final TraceSink trace;
    private final Consumer<Throwable> exceptionHandler;
    private final List<Tap> taps = new ArrayList<>();
    /** Last event id for taps, used while the trace is off. */
    private long ownIds;

    /** @param exceptionHandler receives exceptions of taps */
    FabricObservers(TraceSink trace, Consumer<Throwable> exceptionHandler) {
        this.trace = trace;
        this.exceptionHandler = exceptionHandler;
    }

    void add(Tap tap) {
        taps.add(tap);
    }

    void remove(Tap tap) {
        taps.remove(tap);
    }

    boolean present() {
        return trace.enabled() || !taps.isEmpty();
    }

    /** Returns the event's id, 0 if there is no observer. */
    long sent(Port port, Endpoint from, Packet packet, long cause, long otherCause, long now) {
        if (!present()) {
            return 0;
        }
        long id = nextId();
        publish(new FabricEvent.Sent(new Stamp(id, now, cause, otherCause), port.name, from.element(), packet));
        return id;
    }

    long delivered(Port port, Packet packet, long cause, long now) {
        long id = nextId();
        publish(new FabricEvent.Delivered(new Stamp(id, now, cause, 0), port.name, packet));
        return id;
    }

    void dropped(Port port, Packet packet, String reason, long cause, long now) {
        if (present()) {
            publish(new FabricEvent.Dropped(new Stamp(nextId(), now, cause, 0), port.name, packet, reason));
        }
    }

    /** Returns the event's id, 0 if there is no observer. */
    long disturbed(Port port, Packet packet, FabricEvent.Disturbed.How how, String what, long cause, long now) {
        if (!present()) {
            return 0;
        }
        long id = nextId();
        publish(new FabricEvent.Disturbed(new Stamp(id, now, cause, 0), port.name, packet, how, what));
        return id;
    }

    /** Returns the event's id, 0 if there is no observer. */
    long forged(Port port, Packet packet, Octets frame, String what, long beside, long now) {
        if (!present()) {
            return 0;
        }
        long id = nextId();
        publish(new FabricEvent.Forged(new Stamp(id, now, 0, beside), port.name, packet, frame, what));
        return id;
    }

    void corrupted(Port port, Packet packet, Arrival.Damaged arrival, long cause, long now) {
        if (present()) {
            publish(new FabricEvent.Corrupted(
                    new Stamp(nextId(), now, cause, 0),
                    port.name,
                    packet,
                    arrival.frame(),
                    arrival.what(),
                    arrival.by()));
        }
    }

    private long nextId() {
        return trace.enabled() ? trace.nextId() : ++ownIds;
    }

    private void publish(FabricEvent event) {
        if (trace.enabled()) {
            trace.record(event);
        }
        for (int i = 0; i < taps.size(); i++) {
            show(taps.get(i), event);
        }
    }

    private void show(Tap tap, FabricEvent event) {
        try {
            tap.on(event);
        } catch (RuntimeException | AssertionError thrown) {
            exceptionHandler.accept(thrown);
        }
    }
}
