// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.hcaactors.judge.nodes.SweepRefusedException;
import org.hcaactors.judge.nodes.SweepWorker;
import org.hcaactors.lab.nodes.HostPort;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "sweep-worker",
        description =
                "Runs seeds of a sweep that another process hands out: hca sweep --listen. It may join at any time, and ends with the"
                        + " sweep. If it ends before, its seeds run on other nodes.",
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class SweepWorkerCommand implements Callable<Integer> {
    private static final int MAX_THREADS = 1024;

    @Option(
            names = "--join",
            paramLabel = "HOST:PORT",
            converter = AddressOption.class,
            description = "address of the sweep, as its --listen has it")
    private @Nullable HostPort join;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            converter = AddressOption.class,
            description = "own address, which the sweep must be able to reach (default: the one from which this machine"
                    + " reaches the sweep, and a free port)")
    private @Nullable HostPort listen;

    @Option(
            names = "--name",
            defaultValue = "",
            description = "name in the progress of the sweep (default: the own address)")
    private String name;

    @Option(names = "--threads", paramLabel = "N", description = "seeds at a time (default: the number of cores)")
    @AllowedRange(min = 1, max = MAX_THREADS)
    private @Nullable Integer threads;

    @Option(
            names = "--patience",
            paramLabel = "TIME",
            defaultValue = "60s",
            converter = TimeSpan.class,
            description = "give up if there is no sweep for so long (default: 60s)")
    private Duration patience;

    @Option(names = "--beyond-loopback", description = NetworkAddresses.OPTION)
    private boolean beyondLoopback;

    @Option(
            names = "--until-sweep-ends",
            hidden = true,
            description = "let seeds go on after Ctrl-C, for as long as the sweep itself waits for them")
    private boolean untilSweepEnds;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BadInputException, InterruptedException {
        HostPort sweep = sweep(new Checks(spec));
        HostPort own = listen == null ? new HostPort(localAddress(sweep), 0) : listen;
        if (!untilSweepEnds) {
            return run(sweep, own);
        }
        try (Interruption interruption = Interruption.calling(() -> {})) {
            return interruption.reported(run(sweep, own));
        }
    }

    private int run(HostPort sweep, HostPort own) throws BadInputException, InterruptedException {
        int cores = Runtime.getRuntime().availableProcessors();
        try {
            int ran = new SweepWorker(name, sweep, own, threads == null ? cores : threads, patience).run();
            PrintWriter out = spec.commandLine().getOut();
            out.printf("ran %,d seeds%n", ran);
            out.flush();
            return Hca.OK;
        } catch (SweepRefusedException refused) {
            throw new BadInputException(String.valueOf(refused.getMessage()));
        }
    }

    private HostPort sweep(Checks check) {
        check.that(join != null, "--join is required; HOST:PORT is allowed, as --listen of the sweep has it");
        HostPort sweep = Objects.requireNonNull(join);
        if (!beyondLoopback) {
            NetworkAddresses.check(check, "--join", sweep);
        }
        return sweep;
    }

    /** Returns the address from which packets to the sweep would be sent; sends none. */
    private static String localAddress(HostPort sweep) throws BadInputException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(sweep.host(), sweep.port()));
            return socket.getLocalAddress().getHostAddress();
        } catch (IOException | IllegalArgumentException unreachable) {
            throw new BadInputException("--join is " + sweep + ": " + unreachable.getMessage());
        }
    }
}
