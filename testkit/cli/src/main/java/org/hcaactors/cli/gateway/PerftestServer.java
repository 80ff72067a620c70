// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.lab.pair.Side;

/**
 * The server of a perftest program for one client, in perftest's exchange: version, sizes of pages and of cache lines, MTU; then
 * keys, as often as the test has a common point in time, and the client's report. One thread.
 */
public final class PerftestServer implements AutoCloseable {
    private static final Duration LONGEST_TEST = Duration.ofMinutes(10);

    /** Messages of a client about its results; perftest sends about ten. */
    private static final int MAX_REPORTS = 64;

    static final int LARGEST_PAGE = 1 << 21;

    /** Time without a message after which none is on its way. */
    private static final long QUIET_NANOS = 200_000_000;

    /** Keys with one queue pair: at the start, for the queue pair, after it was connected, and before the test. */
    private static final int POINTS_BEFORE_LATENCY = 4;

    private final Station station;
    private final PerftestTerms terms;
    private final PerftestTalk talk;
    private final QueuePairs source;

    /** By the number of the client's queue pair. */
    private final Map<Integer, PerftestQp> queuePairs = new LinkedHashMap<>();

    private final List<Thread> writers = new ArrayList<>();
    private final List<byte[]> report = new ArrayList<>();
    private int commonPoints;

    /** Source of its queue pairs. */
    interface QueuePairs {
        /** Returns the domain of the memory. */
        ProtectionDomain domain();

        /**
         * Connections can be accepted from now on.
         *
         * @param side memory of the queue pairs
         */
        void begin(Side side, PathMtu mtu, Function<PerftestQp.Connecting, PerftestQp> creating);

        /** Returns the queue pair for one that the client names first. */
        PerftestQp of(PerftestKeys client) throws PeerException;

        void close();
    }

    private PerftestServer(Station station, PerftestTerms terms, PerftestTalk talk, QueuePairs source) {
        this.station = station;
        this.terms = terms;
        this.talk = talk;
        this.source = source;
    }

    /**
     * Creates the server of a client that introduces itself over TCP.
     *
     * @param name of the process that is started for it
     */
    public static PerftestServer overTcp(Station station, PerftestTerms terms, Exchange exchange, String name) {
        return new PerftestServer(station, terms, new PerftestTcp(exchange), new PerftestTcpQueuePairs(station, name));
    }

    static PerftestServer overConnections(Station station, PerftestTerms terms, PerftestTalk talk, QueuePairs source) {
        return new PerftestServer(station, terms, talk, source);
    }

    /**
     * Serves the client until it closes the connection or says that it is done.
     */
    public Outcome serve(Consumer<String> lines) throws IOException, InterruptedException {
        String version = agreeOnVersion();
        int pageBytes = agreeOnSizes();
        PathMtu mtu = agreeOnMtu();
        lines.accept("perftest " + version + ", MTU " + mtu.bytes());
        int areaBytes = terms.areaBytes(pageBytes);
        Side side = Side.within(station.network(), source.domain(), 2L * areaBytes);
        source.begin(side, mtu, connecting -> new PerftestQp(station, terms, side, areaBytes, mtu, connecting));
        Optional<byte[]> next = talk.next();
        while (next.isPresent()) {
            answer(next.get(), lines);
            next = talk.next();
        }
        return result();
    }

    private void answer(byte[] message, Consumer<String> lines) throws IOException, InterruptedException {
        if (talk.isKeys(message)) {
            PerftestKeys client = talk.keys(message);
            // Before connections are made by communication management, keys mark common points in time only.
            boolean named = client.address().number() != 0;
            Optional<PerftestQp> own = named ? Optional.of(introduced(client, lines)) : Optional.empty();
            talk.write(talk.encode(own.map(PerftestQp::keys).orElse(PerftestKeys.NONE)));
            talk.waitFor(LONGEST_TEST);
            own.ifPresent(each -> beginToWrite(each, client));
        } else {
            if (report.size() == MAX_REPORTS) {
                throw new PeerException("it sent more than " + MAX_REPORTS + " messages about its results");
            }
            report.add(message);
            talk.write(message);
        }
    }

    private String agreeOnVersion() throws IOException, InterruptedException {
        String theirs = PerftestVersion.decode(talk.read(PerftestVersion.BYTES));
        talk.write(PerftestVersion.answer(theirs));
        return theirs;
    }

    /** Both ends use the larger sizes; returns that of a page. */
    private int agreeOnSizes() throws IOException, InterruptedException {
        int pageBytes = agreeOnSize("pages", 1, LARGEST_PAGE);
        agreeOnSize("cache lines", 1, LARGEST_PAGE);
        return pageBytes;
    }

    private int agreeOnSize(String what, int min, int max) throws IOException, InterruptedException {
        byte[] size = talk.read(Integer.BYTES);
        int bytes = ByteBuffer.wrap(size).getInt();
        if (bytes < min || bytes > max) {
            throw new PeerException(
                    "its " + what + " have " + bytes + " bytes; " + min + " to " + max + " are allowed");
        }
        talk.write(size);
        return bytes;
    }

    /** Both ends use the smaller MTU. */
    private PathMtu agreeOnMtu() throws IOException, InterruptedException {
        byte[] theirs = talk.read(PerftestMtu.BYTES);
        PathMtu own = station.activeMtu();
        talk.write(PerftestMtu.encode(own));
        return PerftestMtu.smaller(own, theirs);
    }

    /** In a latency test of WRITEs the server writes first, as soon as the client's queue pair is ready. */
    private void beginToWrite(PerftestQp own, PerftestKeys client) {
        commonPoints++;
        if (terms.tool().server() == PerftestTool.Server.WRITES_BACK && commonPoints == POINTS_BEFORE_LATENCY) {
            writers.add(Thread.ofVirtual().name("writer").start(() -> own.writeInTurns(client.memory())));
        }
    }

    /** Returns the queue pair for the client's, which is created when it is named first. */
    private PerftestQp introduced(PerftestKeys client, Consumer<String> lines) throws PeerException {
        PerftestQp known = queuePairs.get(client.address().number());
        if (known != null) {
            return known;
        }
        if (queuePairs.size() == PerftestPlan.MOST_QUEUE_PAIRS) {
            throw new PeerException("it has more than " + PerftestPlan.MOST_QUEUE_PAIRS + " queue pairs");
        }
        PerftestQp created = source.of(client);
        queuePairs.put(client.address().number(), created);
        lines.accept(client.address().toString());
        return created;
    }

    private Outcome result() throws PeerException {
        long received = terms.tool().isSend() ? settled() : received();
        for (PerftestQp each : queuePairs.values()) {
            if (!each.failure().isEmpty()) {
                throw new PeerException(each.failure());
            }
        }
        String messages = received > 0 ? ", " + received + " messages arrived" : "";
        return reported(Outcome.of(terms.tool() + messages).with("messages", received));
    }

    private long received() {
        return queuePairs.values().stream().mapToLong(PerftestQp::received).sum();
    }

    /** Counts the messages; the last ones may arrive after the word over TCP that the client is done. */
    private long settled() {
        long before = -1;
        long now = received();
        while (now > before) {
            LockSupport.parkNanos(QUIET_NANOS);
            before = now;
            now = received();
        }
        return now;
    }

    /** Adds what the client of a bandwidth test measured: size, iterations, peak, average and rate. */
    private Outcome reported(Outcome outcome) {
        if (report.size() < 5) {
            return outcome;
        }
        long size = ByteBuffer.wrap(report.get(0)).getLong();
        long iterations = ByteBuffer.wrap(report.get(1)).getLong();
        double rate = ByteBuffer.wrap(report.get(3)).getDouble();
        String words = ", the client reports %d iterations of %d bytes, %.2f MB/s".formatted(iterations, size, rate);
        return new Outcome(outcome.words() + words, outcome.figures())
                .with("iterations", iterations)
                .with("iterationBytes", size)
                .with("megabytesPerSecond", rate);
    }

    @Override
    public void close() throws IOException {
        writers.forEach(Thread::interrupt);
        talk.close();
        source.close();
    }
}
