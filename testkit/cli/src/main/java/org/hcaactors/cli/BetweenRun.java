// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hcaactors.cli.between.Between;
import org.hcaactors.cli.between.BetweenAddresses;
import org.hcaactors.cli.between.HostSide;
import org.hcaactors.cli.gateway.CaptureFile;
import org.hcaactors.cli.gateway.Clients;
import org.hcaactors.cli.gateway.ForwardedPort;
import org.hcaactors.fabric.link.Interceptor;
import org.hcaactors.lab.fault.PacketFaults;

/** A gateway between two hosts, from its start to its counters. */
record BetweenRun(
        BetweenAddresses addresses, CableOptions cable, List<Integer> forwards, WireOptions wire, CableOutput output) {
    /** Time without a packet after which none follows. */
    private static final Duration QUIET = Duration.ofSeconds(2);

    /**
     * Passes on packets and connections.
     *
     * @param forwarded the connections; after the last one that was asked for, or {@link Clients#stop}, the run ends when no
     *     packet has passed for 2 s
     * @return exit status
     * @throws BadInputException if a socket or a file cannot be opened
     */
    int run(Optional<PacketFaults> faults, Clients forwarded, Duration atMost)
            throws BadInputException, InterruptedException {
        try {
            Optional<CaptureFile> capture = capture();
            try {
                pass(faults, capture, forwarded, atMost);
            } finally {
                if (capture.isPresent()) {
                    capture.get().close();
                }
            }
            return forwarded.missing() ? Hca.NOT_AS_EXPECTED : Hca.OK;
        } catch (IOException failed) {
            throw new BadInputException(String.valueOf(failed.getMessage()));
        }
    }

    private void pass(Optional<PacketFaults> faults, Optional<CaptureFile> capture, Clients forwarded, Duration atMost)
            throws IOException, InterruptedException {
        Between between = Between.open(
                addresses,
                cable.port(),
                cable.mtu(),
                faults.map(Interceptor.class::cast).orElse(Interceptor.NONE),
                capture.map(file -> file::record));
        try (between;
                forwarded;
                Forwards open = new Forwards(new ArrayList<>())) {
            for (int port : forwards) {
                for (HostSide side : HostSide.values()) {
                    open.ports.add(forward(side, port, forwarded));
                }
            }
            started(between);
            long end = System.nanoTime() + atMost.toNanos();
            forwarded.await(atMost);
            awaitQuiet(between, end);
        }
        faults.ifPresent(all -> all.struck().forEach(output::fault));
        output.counters(between.counters(), wire.wantsReport());
    }

    /** A ping-pong begins when its TCP connection ends. */
    private static void awaitQuiet(Between between, long end) throws InterruptedException {
        long before = -1;
        long now = between.packets();
        while (now > before && System.nanoTime() - end < 0) {
            Thread.sleep(QUIET);
            before = now;
            now = between.packets();
        }
    }

    private Optional<CaptureFile> capture() throws BadInputException {
        Optional<Path> file = wire.capture();
        if (file.isEmpty()) {
            return Optional.empty();
        }
        try {
            List<String> ports =
                    Arrays.stream(HostSide.values()).map(HostSide::toString).toList();
            return Optional.of(CaptureFile.open(file.get(), ports));
        } catch (IOException refused) {
            throw BadInputException.unwritable(file.get(), refused);
        }
    }

    private ForwardedPort forward(HostSide side, int port, Clients forwarded) throws IOException {
        return ForwardedPort.open(
                new InetSocketAddress(addresses.gateway(side), port),
                new InetSocketAddress(addresses.host(side.other()), port),
                forwarded,
                addresses.filtersFrom(side));
    }

    private void started(Between between) {
        ObjectNode object = CableOutput.event("start");
        object.putArray("between")
                .add(addresses.a().getHostAddress())
                .add(addresses.b().getHostAddress());
        object.putArray("local")
                .add(addresses.gatewayOfA().getHostAddress())
                .add(addresses.gatewayOfB().getHostAddress());
        object.put("port", cable.port()).put("mtuBytes", between.mtuBytes());
        forwards.forEach(object.putArray("forward")::add);
        output.tell(
                List.of(
                        "between    a %s, which takes %s for b".formatted(text(HostSide.A), gateway(HostSide.A)),
                        "           b %s, which takes %s for a".formatted(text(HostSide.B), gateway(HostSide.B)),
                        "cable      UDP port %d, IP packets of at most %d bytes"
                                .formatted(cable.port(), between.mtuBytes()),
                        "forward    TCP port "
                                + forwards.stream().map(String::valueOf).collect(Collectors.joining(", "))),
                object);
    }

    private String text(HostSide side) {
        return addresses.host(side).getHostAddress();
    }

    private String gateway(HostSide side) {
        return addresses.gateway(side).getHostAddress();
    }

    /** Open ports, until all are closed. */
    private record Forwards(List<ForwardedPort> ports) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            for (ForwardedPort each : ports) {
                each.close();
            }
        }
    }
}
