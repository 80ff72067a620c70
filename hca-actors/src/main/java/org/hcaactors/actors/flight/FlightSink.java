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
 * Events of a network for JDK Flight Recorder: requests and page faults with their durations, and failures with their reasons,
 * in the category RDMA. Use it as the trace of the network,
 *
 * <pre>{@code
 * FlightSink flight = FlightSink.open();
 * RdmaNetwork network = RdmaNetwork.start(Environment.production().withTrace(flight));
 * }</pre>
 *
 * or as a listener of the trace that the network has: {@code recorder.listen(flight::record)}. Each network has its own. What
 * is recorded is controlled by the Flight Recorder only, at any time: {@code jcmd PID JFR.start
 * +org.hcaactors.Request#threshold=1ms}. Events that began before are not timed.
 *
 * <p>Cost: while no recording has one of its events enabled, each source of events reads one field, a queue pair once a turn.
 * While one does, the adapter creates every event of its trace, and packets do not take the fabric's fast path, whichever kinds
 * are enabled: a WRITE of 64 bytes costs its thread 0.7 us instead of 0.2, and 0.9 if each request is recorded.
 *
 * <p>Threads: any. Limits: {@link #MAX_REQUESTS} requests and {@link #MAX_PAGE_FAULTS} page faults are held until they end;
 * further ones that begin meanwhile have no event, and {@code org.hcaactors.RecorderState} counts them.
 */
public final class FlightSink implements TraceSink, AutoCloseable {
    /** Maximum number of requests timed at the same time. */
    public static final int MAX_REQUESTS = 16_384;

    /** Maximum number of page faults timed at the same time: as many as an adapter serves. */
    public static final int MAX_PAGE_FAULTS = 4_096;

    private final AtomicLong ids = new AtomicLong();
    private final FlightWriter writer = new FlightWriter();
    private final Runnable state = this::updateEnabled;
    private final FlightRecorderListener listener = new FlightRecorderListener() {
        @Override
        public void recordingStateChanged(Recording recording) {
            look();
        }
    };

    private volatile boolean enabled;
    private boolean closed;

    private FlightSink() {}

    /** Creates a sink and registers it with the Flight Recorder until it is closed. */
    public static FlightSink open() {
        FlightSink sink = new FlightSink();
        FlightRecorder.addListener(sink.listener);
        FlightRecorder.addPeriodicEvent(RecorderStateEvent.class, sink.state);
        sink.look();
        return sink;
    }

    /** Listeners are not notified when settings of a running recording change, so check again periodically. */
    private void updateEnabled() {
        look();
        writer.state();
    }

    private synchronized void look() {
        enabled = !closed && FlightWriter.isEnabled();
        if (!enabled) {
            writer.forget();
        }
    }

    /** True if a recording has one of its events enabled. */
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

    /** Records the event if a recording has it enabled. */
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

    /** Stops recording. Close it after its network; the network can continue without it. */
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
