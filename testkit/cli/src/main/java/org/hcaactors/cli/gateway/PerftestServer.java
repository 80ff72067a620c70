// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.lab.pair.Side;

/**
 * The server of a perftest program for one client, in perftest's exchange over TCP: version, sizes of pages and of cache lines,
 * MTU; then keys, as often as the test has a common point in time, and the client's report. One thread.
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
    private final Exchange exchange;
    private final HostProcess process;

    /** By the number of the client's queue pair. */
    private final Map<Integer, PerftestQp> queuePairs = new LinkedHashMap<>();

    private final List<Thread> writers = new ArrayList<>();
    private final List<byte[]> report = new ArrayList<>();
    private int commonPoints;

    /** @param name of the process that is started for it */
    public PerftestServer(Station station, PerftestTerms terms, Exchange exchange, String name) {
        this.station = station;
        this.terms = terms;
        this.exchange = exchange;
        process = station.adapter().process(name);
    }

    /**
     * Serves the client until it closes the connection or says that it is done.
     */
    public Outcome serve(Consumer<String> lines) throws IOException {
        String version = agreeOnVersion();
        int pageBytes = agreeOnSizes();
        PathMtu mtu = agreeOnMtu();
        lines.accept("perftest " + version + ", MTU " + mtu.bytes());
        int areaBytes = terms.areaBytes(pageBytes);
        Side side = Side.within(station.network(), process.open().allocatePd(), 2L * areaBytes);
        Optional<byte[]> next = message();
        while (next.isPresent()) {
            byte[] message = next.get();
            if (message.length == PerftestKeys.BYTES) {
                PerftestKeys client = PerftestKeys.decode(message);
                PerftestQp own = introduced(client, side, areaBytes, mtu, lines);
                exchange.write(own.keys().encode());
                exchange.waitFor(LONGEST_TEST);
                beginToWrite(own, client);
            } else {
                if (report.size() == MAX_REPORTS) {
                    throw new PeerException("it sent more than " + MAX_REPORTS + " messages about its results");
                }
                report.add(message);
                exchange.write(message);
            }
            next = message();
        }
        return result();
    }

    private String agreeOnVersion() throws IOException {
        String theirs = PerftestVersion.decode(exchange.read(PerftestVersion.BYTES));
        exchange.write(PerftestVersion.answer(theirs));
        return theirs;
    }

    /** Both ends use the larger sizes; returns that of a page. */
    private int agreeOnSizes() throws IOException {
        int pageBytes = agreeOnSize("pages", 1, LARGEST_PAGE);
        agreeOnSize("cache lines", 1, LARGEST_PAGE);
        return pageBytes;
    }

    private int agreeOnSize(String what, int min, int max) throws IOException {
        byte[] size = exchange.read(Integer.BYTES);
        int bytes = ByteBuffer.wrap(size).getInt();
        if (bytes < min || bytes > max) {
            throw new PeerException(
                    "its " + what + " have " + bytes + " bytes; " + min + " to " + max + " are allowed");
        }
        exchange.write(size);
        return bytes;
    }

    /** Both ends use the smaller MTU. */
    private PathMtu agreeOnMtu() throws IOException {
        byte[] theirs = exchange.read(PerftestMtu.BYTES);
        PathMtu own = station.activeMtu();
        exchange.write(PerftestMtu.encode(own));
        return PerftestMtu.smaller(own, theirs);
    }

    /** Returns the next message: keys, or a number of the report; empty at the end. */
    private Optional<byte[]> message() throws IOException {
        Optional<byte[]> begun = exchange.readUnlessEnded(Exchange.DONE.length);
        if (begun.isEmpty() || Arrays.equals(begun.get(), Exchange.DONE)) {
            return Optional.empty();
        }
        byte[] first = begun.get();
        int bytes = startsKeys(first) ? PerftestKeys.BYTES : Long.BYTES;
        byte[] rest = exchange.read(bytes - first.length);
        byte[] all = Arrays.copyOf(first, bytes);
        System.arraycopy(rest, 0, all, first.length, rest.length);
        return Optional.of(all);
    }

    /** Keys begin with a LID of 4 digits. */
    private static boolean startsKeys(byte[] message) {
        return new String(message, StandardCharsets.US_ASCII).matches("\\p{XDigit}{4}:");
    }

    /** In a latency test of WRITEs the server writes first, as soon as the client's queue pair is ready. */
    private void beginToWrite(PerftestQp own, PerftestKeys client) {
        commonPoints++;
        if (terms.tool().server() == PerftestTool.Server.WRITES_BACK && commonPoints == POINTS_BEFORE_LATENCY) {
            writers.add(Thread.ofVirtual().name("writer").start(() -> own.writeInTurns(client.memory())));
        }
    }

    /** Returns the queue pair for the client's, which is created when it is named first. */
    private PerftestQp introduced(PerftestKeys client, Side side, int areaBytes, PathMtu mtu, Consumer<String> lines)
            throws PeerException {
        PerftestQp known = queuePairs.get(client.address().number());
        if (known != null) {
            return known;
        }
        if (queuePairs.size() == PerftestPlan.MOST_QUEUE_PAIRS) {
            throw new PeerException("it has more than " + PerftestPlan.MOST_QUEUE_PAIRS + " queue pairs");
        }
        station.checkPeer(client.address());
        PerftestQp created = new PerftestQp(station, terms, side, areaBytes, mtu, client);
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
    public void close() {
        writers.forEach(Thread::interrupt);
        process.close();
    }
}
