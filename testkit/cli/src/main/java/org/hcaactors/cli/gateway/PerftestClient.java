// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.lab.pair.Side;

/**
 * The client of a perftest program, in perftest's exchange: version, sizes of pages and of cache lines, MTU; then keys at each
 * common point in time, whose number the server knows; the test; a report of the rates, except for SENDs. One thread.
 */
public final class PerftestClient implements AutoCloseable {
    private static final int PAGE_BYTES = 4096;
    private static final int CACHE_LINE = 64;
    private static final double MEGA = 1 << 20;

    private final Station station;
    private final PerftestPlan plan;
    private final HostProcess process;
    private final DeviceContext context;
    private final PerftestTalk talk;

    /** Server of connections of communication management; empty if the talk is over TCP. */
    private final Optional<InetSocketAddress> connecting;

    private final List<PerftestKeys> theirs = new ArrayList<>();

    private interface Talking {
        PerftestTalk in(DeviceContext context);
    }

    private PerftestClient(
            Station station, PerftestPlan plan, Optional<InetSocketAddress> connecting, Talking talking) {
        this.station = station;
        this.plan = plan;
        this.connecting = connecting;
        process = station.adapter().process("client");
        context = process.open();
        talk = talking.in(context);
    }

    /**
     * Creates the client of a server that introduces itself over TCP.
     *
     * @param exchange with the server
     */
    public static PerftestClient overTcp(Station station, PerftestPlan plan, Exchange exchange) {
        return new PerftestClient(station, plan, Optional.empty(), context -> new PerftestTcp(exchange));
    }

    /**
     * Connects to a server by communication management, as with {@code -R}.
     *
     * @throws org.hcaactors.api.connection.ConnectionException if no server answers, or it refuses
     */
    public static PerftestClient overConnections(Station station, PerftestPlan plan, InetSocketAddress server) {
        return new PerftestClient(
                station, plan, Optional.of(server), context -> PerftestCm.connect(station, context, server));
    }

    /**
     * Runs the test.
     *
     * @param lines told the server's version, and its queue pairs
     * @param progress told the messages that are done
     * @throws PeerException if the server does something else than perftest, or a request fails
     */
    public PerftestFigures run(Consumer<String> lines, LongConsumer progress) throws IOException, InterruptedException {
        String version = agreeOnVersion();
        int pageBytes = Math.max(swapNumber(PAGE_BYTES), PAGE_BYTES);
        swapNumber(CACHE_LINE);
        PathMtu mtu = agreeOnMtu();
        lines.accept("perftest " + version + ", MTU " + mtu.bytes());
        int areaBytes = plan.terms().areaBytes(pageBytes);
        Side side = Side.within(station.network(), context.allocatePd(), 2L * areaBytes);
        PerftestLoad load = new PerftestLoad(station, plan, side, areaBytes, mtu);
        if (connecting.isPresent()) {
            swap(talk.encode(PerftestKeys.NONE));
            load.connect(context, connecting.get());
            swap(talk.encode(PerftestKeys.NONE));
        }
        introduce(load, lines);
        PerftestFigures figures = load.run(theirs, progress);
        if (figures instanceof PerftestFigures.Rate rate && !tool().isSend()) {
            shake(load);
            report(rate);
        }
        end(load);
        return figures;
    }

    private PerftestTool tool() {
        return plan.terms().tool();
    }

    private byte[] swap(byte[] own) throws IOException, InterruptedException {
        talk.write(own);
        return talk.read(own.length);
    }

    private String agreeOnVersion() throws IOException, InterruptedException {
        return PerftestVersion.decode(swap(PerftestVersion.encode(PerftestVersion.OWN)));
    }

    private int swapNumber(int own) throws IOException, InterruptedException {
        int number = ByteBuffer.wrap(
                        swap(ByteBuffer.allocate(Integer.BYTES).putInt(own).array()))
                .getInt();
        if (number < 1 || number > PerftestServer.LARGEST_PAGE) {
            throw new PeerException("its pages or cache lines have " + number + " bytes; 1 to "
                    + PerftestServer.LARGEST_PAGE + " are allowed");
        }
        return number;
    }

    private PathMtu agreeOnMtu() throws IOException, InterruptedException {
        PathMtu own = plan.mtu().bytes() < station.activeMtu().bytes() ? plan.mtu() : station.activeMtu();
        return PerftestMtu.smaller(own, swap(PerftestMtu.encode(own)));
    }

    /** The common points in time before a test, with the keys of each queue pair. */
    private void introduce(PerftestLoad load, Consumer<String> lines) throws IOException, InterruptedException {
        if (tool().isLatency() && !tool().isSend()) {
            shake(load);
        }
        for (int i = 0; i < plan.queuePairs(); i++) {
            theirs.add(shake(load, i));
        }
        for (PerftestKeys each : theirs) {
            lines.accept(each.address().toString());
        }
        if (connecting.isEmpty()) {
            for (PerftestKeys each : theirs) {
                station.checkPeer(each.address());
            }
            load.connect(theirs);
        }
        load.begin();
        if (tool().isSend()) {
            shake(load);
        }
        for (int i = 0; i < plan.queuePairs(); i++) {
            shake(load, i);
        }
        shake(load);
    }

    private void shake(PerftestLoad load) throws IOException, InterruptedException {
        shake(load, 0);
    }

    private PerftestKeys shake(PerftestLoad load, int queuePair) throws IOException, InterruptedException {
        return talk.keys(swap(talk.encode(load.keys(queuePair))));
    }

    private void report(PerftestFigures.Rate rate) throws IOException, InterruptedException {
        int bytes = plan.terms().bytes();
        double mebibytes = bytes * 1e9 / MEGA;
        swap(ByteBuffer.allocate(Long.BYTES).putLong(bytes).array());
        swap(ByteBuffer.allocate(Long.BYTES).putLong(plan.iterations()).array());
        swap(number(mebibytes * Math.max(rate.peak(), rate.average())));
        swap(number(mebibytes * rate.average()));
        swap(number(1e3 * rate.average()));
    }

    private static byte[] number(double value) {
        return ByteBuffer.allocate(Double.BYTES).putDouble(value).array();
    }

    /** The server of a latency test of WRITEs ends by itself, without a common point in time. */
    private void end(PerftestLoad load) throws IOException, InterruptedException {
        if (tool() == PerftestTool.WRITE_LAT) {
            talk.awaitEnd();
        } else {
            shake(load);
            talk.tellDone();
        }
    }

    @Override
    public void close() throws IOException {
        talk.close();
        process.close();
    }
}
