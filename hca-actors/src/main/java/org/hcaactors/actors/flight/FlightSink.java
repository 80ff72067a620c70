// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.flight;

import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Recording;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.AdapterEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.flow.TraceSink;

/**
 * What happens on a network, for the JDK's Flight Recorder: requests and page faults with how long they took, and what went wrong with
 * its reason, in the category RDMA. It is the trace of its network,
 *
 * <pre>{@code
 * FlightSink flight = FlightSink.open();
 * RdmaNetwork network = RdmaNetwork.start(Environment.production().withTrace(flight));
 * }</pre>
 *
 * or listens to the one that it has: {@code recorder.listen(flight::record)}. Each network has its own. Whether anything is recorded, and what, is said to the Flight Recorder
 * alone, at any time: {@code jcmd PID JFR.start +org.hcaactors.Request#threshold=1ms}. What began before is not timed.
 *
 * <p>Cost: while no recording wants any of its events, whoever would tell of something reads one field, a queue pair once a turn. While
 * one does, the adapter builds each event of its trace, and packets take the fabric's long way, whichever kinds are wanted: a WRITE of 64 bytes
 * costs its thread 0.7 us instead of 0.2, and 0.9 where each request is recorded.
 *
 * <p>Threads: any. Limits: {@link #MAX_REQUESTS} requests and {@link #MAX_PAGE_FAULTS} page faults are held until they end; those that
 * begin meanwhile have no event, and {@code org.hcaactors.RecorderState} counts them.
 */
public final class FlightSink implements TraceSink, AutoCloseable {
    /** Requests that are timed at once. */
    public static final int MAX_REQUESTS = 16_384;

    /** Page faults that are timed at once: as many as an adapter serves. */
    public static final int MAX_PAGE_FAULTS = 4_096;

    private final AtomicLong ids = new AtomicLong();
    private final FlightWriter writer = new FlightWriter();
    private final Runnable state = this::tellState;
    private final FlightRecorderListener listener = new FlightRecorderListener() {
        @Override
        public void recordingStateChanged(Recording recording) {
            look();
        }
    };

    private volatile boolean enabled;
    private boolean closed;

    private FlightSink() {}

    /** The Flight Recorder knows it until it is closed. */
    public static FlightSink open() {
        FlightSink sink = new FlightSink();
        FlightRecorder.addListener(sink.listener);
        FlightRecorder.addPeriodicEvent(RecorderStateEvent.class, sink.state);
        sink.look();
        return sink;
    }

    /** Settings of a recording that runs are changed without a word to listeners, so that it looks again now and then. */
    private void tellState() {
        look();
        writer.state();
    }

    private synchronized void look() {
        enabled = !closed && FlightWriter.isWanted();
        if (!enabled) {
            writer.forget();
        }
    }

    /** Some recording wants one of its events. */
    @Override
    public boolean enabled() {
        return enabled;
    }

    @Override
    public boolean takesAnyOrder() {
        return true;
    }

    @Override
    public long nextId() {
        return ids.incrementAndGet();
    }

    /** The event, where a recording wants it. */
    @Override
    public void record(TraceEvent event) {
        if (!enabled) {
            return;
        }
        switch (event) {
            case FabricEvent onTheWire -> writer.record(onTheWire);
            case HcaEvent inside -> writer.record(inside);
            case AdapterEvent other -> {}
        }
    }

    /** Nothing is recorded any more. To be closed after its network, which goes on without it. */
    @Override
    public void close() {
        FlightRecorder.removeListener(listener);
        FlightRecorder.removePeriodicEvent(state);
        synchronized (this) {
            closed = true;
        }
        look();
    }
}
