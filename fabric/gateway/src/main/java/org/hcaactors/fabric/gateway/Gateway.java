// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.net.InetAddress;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.Behavior;
import org.hcaactors.fabric.actor.FabricActor;
import org.hcaactors.fabric.actor.FabricReference;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.cable.FramesCable;
import org.hcaactors.fabric.cable.LiveCable;
import org.hcaactors.fabric.cable.UdpCable;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.uplink.Polling;
import org.hcaactors.fabric.uplink.Uplink;
import org.hcaactors.fabric.uplink.UplinkCounters;

/** A cable in use: its sockets, and the threads that read and write them. Any thread. */
public final class Gateway implements Uplink {
    /** Time for the threads to end. */
    private static final Duration LONGEST_END = Duration.ofSeconds(10);

    private final LiveCable cable;
    private final CableEnd end;
    private final UplinkCounters<CableCounter> counters = new UplinkCounters<>(CableCounter.class, CableCounter::text);
    private final Map<Side, Thread> threads = new EnumMap<>(Side.class);
    private volatile Optional<Running> running = Optional.empty();
    private boolean closed;

    /** Threads of a gateway. */
    enum Side {
        READER,
        WRITER;

        /** Returns the name in lower case. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private record Running(Reader reader, Writer writer, Outbox outbox, BiConsumer<Side, Throwable> failed) {
        Runnable on(Side side) {
            return switch (side) {
                case READER -> reader;
                case WRITER -> writer;
            };
        }
    }

    private Gateway(LiveCable cable, CableEnd end) {
        this.cable = cable;
        this.end = end;
    }

    /**
     * Opens the sockets of a cable.
     *
     * @throws org.hcaactors.fabric.cable.CableException if that is not allowed or not possible
     */
    public static Gateway open(LiveCable cable) {
        return switch (cable) {
            case FramesCable frames -> new Gateway(frames, FramesEnd.open(frames));
            case UdpCable udp -> new Gateway(udp, new UdpEnd(udp, UdpSockets.open(udp)));
        };
    }

    @Override
    public String portName() {
        return Cable.PORT_NAME;
    }

    @Override
    public List<PortAddress> addressesOf(String adapter, int number) {
        List<List<InetAddress>> adapters = adapters();
        if (number > adapters.size()) {
            throw new IllegalArgumentException("adapter " + adapter + " can't be added: the cable has "
                    + adapters.size() + (adapters.size() == 1 ? " address" : " addresses") + ", one for each adapter");
        }
        return adapters.get(number - 1).stream().map(Addresses::of).toList();
    }

    /** Returns the addresses of each of the network's adapters, in the order in which they are plugged in. */
    private List<List<InetAddress>> adapters() {
        return switch (cable) {
            case FramesCable frames ->
                frames.adapters().stream()
                        .map(FramesCable.AdapterAddresses::addresses)
                        .toList();
            case UdpCable udp -> udp.addresses().stream().map(List::of).toList();
        };
    }

    @Override
    public synchronized void plug(String adapter, int number, List<PortAddress> addresses) {
        end.plug(number - 1, addresses);
        running.ifPresent(parts -> parts.outbox.wake());
    }

    @Override
    public Behavior<?> behavior(FabricReference fabric, LongSupplier clock, Executor handing) {
        return GatewayActor.create(this, fabric, clock, handing);
    }

    @Override
    public int mtuBytes() {
        return end.mtuBytes();
    }

    @Override
    public SortedMap<String, Long> counters() {
        return counters.byName();
    }

    /**
     * Plugs the cable into the fabric and starts both threads.
     *
     * @param clock nanoseconds, never going back
     * @param handing see {@link GatewayActor#create}
     * @param failed receives what ended a thread too early, on that thread; {@link #restart} starts another one
     */
    synchronized void start(
            FabricReference fabric, LongSupplier clock, Executor handing, BiConsumer<Side, Throwable> failed) {
        Credits credits = new Credits();
        Losses losses = new Losses(counters, fabric);
        WindowSize size = end.windowSize();
        Map<PortAddress, PeerWindow> windows = new LinkedHashMap<>();
        cable.peers().forEach(peer -> windows.put(Addresses.of(peer), new PeerWindow(size)));
        if (end.hasGroups()) {
            windows.put(PeerQueues.GROUPS, new PeerWindow(size));
        }
        PeerQueues queues = new PeerQueues(windows, end.limits());
        Outbox outbox = new Outbox(credits, losses, new Transmitter(end.sender(losses), queues, losses, clock));
        Endpoint border = Endpoint.border(outbox);
        Responses responses = new Responses(windows, outbox);
        DatagramReader intake = end.reader(losses);
        Reader reader =
                new Reader(end.channels(), intake, responses, credits, counters, border, fabric, clock, handing);
        Writer writer = new Writer(outbox);
        running = Optional.of(new Running(reader, writer, outbox, failed));
        fabric.tell(new FabricActor.PlugBorder(
                Cable.PORT_NAME, border, new LinkProperties(0, 0, mtuBytes(), Long.MAX_VALUE), end.hasGroups()));
        restart(Side.READER);
        restart(Side.WRITER);
    }

    /** Starts a thread, again if it failed. */
    synchronized void restart(Side side) {
        if (!closed) {
            running.ifPresent(parts -> threads.put(side, started(side, parts)));
        }
    }

    private static Thread started(Side side, Running parts) {
        return Thread.ofPlatform().daemon().name("hca-cable-" + side).start(() -> {
            try {
                parts.on(side).run();
            } catch (RuntimeException | Error thrown) {
                parts.failed.accept(side, thrown);
            }
        });
    }

    @Override
    public int poll(Polling by) {
        return running.map(parts -> parts.reader.poll(by)).orElse(0);
    }

    @Override
    public void pollsNoMore() {
        running.ifPresent(parts -> parts.reader.pollsNoMore());
    }

    /**
     * Sends the packets that wait, ends the threads and closes the sockets; when it returns, their ports are free. Further calls
     * have no effect.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        running.ifPresent(parts -> parts.outbox.end());
        join(Side.WRITER);
        // A writer that still waits for its socket does not end by itself.
        threads.values().forEach(Thread::interrupt);
        end.close();
        join(Side.READER);
        running.ifPresent(parts -> parts.reader.close());
    }

    private void join(Side side) {
        Thread thread = threads.get(side);
        // The reader may run the task that closes the gateway.
        if (thread != null && thread != Thread.currentThread()) {
            try {
                thread.join(LONGEST_END);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
