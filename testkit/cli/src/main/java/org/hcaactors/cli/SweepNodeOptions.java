// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.hcaactors.judge.nodes.NodeSweep;
import org.hcaactors.judge.nodes.NodesReport;
import org.hcaactors.judge.nodes.SweepCoordinator;
import org.hcaactors.judge.nodes.SweepRefusedException;
import org.hcaactors.lab.nodes.HostPort;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of a sweep over nodes. */
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class SweepNodeOptions {
    private static final int MAX_NODES = 64;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            defaultValue = "0",
            description = "run the seeds in N JVMs of this machine, which share its cores")
    @AllowedRange(min = 0, max = MAX_NODES)
    private int nodes;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            converter = AddressOption.class,
            description = "run the seeds on every node that joins there by hca sweep-worker, at any time")
    private @Nullable HostPort listen;

    @Option(
            names = "--patience",
            paramLabel = "TIME",
            defaultValue = "60s",
            converter = TimeSpan.class,
            description = "end the sweep if no node is there for so long (default: 60s)")
    private Duration patience;

    @Option(names = "--beyond-loopback", description = NetworkAddresses.OPTION)
    private boolean beyondLoopback;

    boolean areAsked() {
        return nodes > 0 || listen != null;
    }

    Duration patience() {
        return patience;
    }

    void check(Checks check) {
        check.that(
                patience.isPositive() && patience.compareTo(Duration.ofDays(1)) <= 0,
                "--patience is " + patience.toSeconds() + "s; 1s to 24h are allowed");
        if (listen != null) {
            check.that(listen.port() > 0, "--listen is " + listen + "; a port from 1 to 65535 is allowed");
            if (!beyondLoopback) {
                NetworkAddresses.check(check, "--listen", listen);
            }
        }
    }

    /** Runs the sweep; shows its progress if that is requested. */
    NodesReport run(NodeSweep sweep, boolean shown, BooleanSupplier stop) throws BadInputException {
        AtomicReference<String> line = new AtomicReference<>("");
        HostPort address = listen == null ? HostPort.LOOPBACK : listen;
        try (SweepCoordinator coordinator =
                        SweepCoordinator.start(address, sweep, state -> line.set(state.line()), stop);
                LocalWorkers workers = LocalWorkers.start(nodes, coordinator, patience);
                Progress progress = new Progress(shown, line::toString)) {
            return coordinator.report();
        } catch (SweepRefusedException refused) {
            throw new BadInputException(String.valueOf(refused.getMessage()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BadInputException("interrupted");
        }
    }
}
