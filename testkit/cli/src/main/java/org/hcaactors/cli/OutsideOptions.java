// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.hcaactors.api.device.Profile;
import org.hcaactors.cli.gateway.Exchange;
import org.hcaactors.cli.gateway.PeerException;
import org.hcaactors.cli.gateway.Station;
import org.hcaactors.lab.fault.PacketFaults;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Options of a command whose other end is another program, across a cable. */
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class OutsideOptions {
    private static final int MAX_PORT = 65_535;

    @Option(
            names = "--via",
            paramLabel = "IP",
            converter = IpOption.class,
            description = "play one end, with an adapter of this address of this machine, over a cable to another"
                    + " program: this command, hca gateway, or the classic tool of that name")
    private @Nullable InetAddress via;

    @Mixin
    private CableOptions cable;

    @Mixin
    private WireOptions wire;

    @Option(
            names = "--connect",
            paramLabel = "HOST[:PORT]",
            description = "with --via be the client of a server there, over TCP (default port: 18515)")
    private @Nullable String server;

    @Option(
            names = "--listen",
            paramLabel = "PORT",
            description = "with --via be the server, at this TCP port of the same address; 0: any that is free")
    @AllowedRange(min = 0, max = MAX_PORT)
    private @Nullable Integer port;

    /** True if the other end is another program. */
    boolean areUsed() {
        return via != null;
    }

    /** Checks the options as far as they can be without each other. */
    void check(CommandSpec spec) {
        Checks check = new Checks(spec);
        check.that(
                via != null || server == null && port == null && !cable.hasPeers() && !wire.areUsed(),
                "--connect, --listen, --peer, --faults, --capture, --record and --report require --via");
        check.that(
                via == null || (server == null) != (port == null),
                "--via requires either --connect, to be the client, or --listen, to be the server");
    }

    /** One end of a program over a cable. */
    interface Play {
        /** @throws PeerException if the other end does something else than its program */
        void with(Station station, CableOutput output) throws IOException, InterruptedException, BadInputException;
    }

    /**
     * Plays one end, with the faults and the capture of the options.
     *
     * @return exit status
     * @throws BadInputException if an option names what cannot be used
     */
    int play(CommandSpec spec, Profile profile, boolean json, Play play)
            throws BadInputException, InterruptedException {
        Optional<PacketFaults> faults = wire.plan();
        CableOutput output = new CableOutput(spec.commandLine().getOut(), json);
        try (Station station = Station.open(
                cable.cable(spec, "--via", address()), profile, wire.record().trace())) {
            int status = Hca.OK;
            RunEnd end = new RunEnd(wire.begin(station, faults), station, output, wire.wantsReport());
            Interruption interruption = Interruption.reporting(end::afterInterrupt);
            try {
                play.with(station, output);
            } catch (PeerException broken) {
                status = failed(spec, broken);
            } finally {
                end.report();
                interruption.close();
            }
            return status;
        } catch (IOException refused) {
            throw new BadInputException(String.valueOf(refused.getMessage()));
        }
    }

    private static int failed(CommandSpec spec, PeerException broken) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("hca: the other end: " + broken.getMessage());
        err.flush();
        return Hca.NOT_AS_EXPECTED;
    }

    private InetAddress address() {
        return via == null ? InetAddress.getLoopbackAddress() : via;
    }

    boolean isServer() {
        return port != null;
    }

    /** Returns where a server listens. */
    InetSocketAddress listenAt() {
        return new InetSocketAddress(cable.host(address()), port == null ? 0 : port);
    }

    /**
     * Connects to the server.
     *
     * @throws BadInputException if that is not possible
     */
    Exchange connect() throws BadInputException {
        InetSocketAddress to = serverAddress();
        try {
            return Exchange.connect(to);
        } catch (IOException failed) {
            throw new BadInputException(
                    "--connect " + to.getHostString() + ":" + to.getPort() + ": " + failed.getMessage());
        }
    }

    /** Returns the value of {@code --connect}. */
    String server() {
        return String.valueOf(server);
    }

    /** Returns where the server is. */
    InetSocketAddress serverAddress() throws BadInputException {
        String text = server();
        int colon = text.indexOf(':');
        String host = colon < 0 ? text : text.substring(0, colon);
        InetSocketAddress to = new InetSocketAddress(host, colon < 0 ? Exchange.DEFAULT_PORT : portOf(text, colon));
        if (to.isUnresolved()) {
            throw new BadInputException("--connect " + text + ": no host has that name");
        }
        return to;
    }

    private static int portOf(String text, int colon) throws BadInputException {
        try {
            int number = Integer.parseInt(text.substring(colon + 1));
            if (number >= 1 && number <= MAX_PORT) {
                return number;
            }
        } catch (NumberFormatException wrong) {
            // As any other number that is no port.
        }
        throw new BadInputException(
                "--connect is " + text + "; HOST or HOST:PORT with a port from 1 to 65535 is allowed");
    }
}
