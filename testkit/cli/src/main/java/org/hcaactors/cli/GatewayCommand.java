// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.device.Profile;
import org.hcaactors.cli.between.BetweenAddresses;
import org.hcaactors.cli.gateway.Clients;
import org.hcaactors.cli.gateway.ConnectionService;
import org.hcaactors.cli.gateway.Exchange;
import org.hcaactors.cli.gateway.GatewayService;
import org.hcaactors.cli.gateway.PerftestCmService;
import org.hcaactors.cli.gateway.PerftestTerms;
import org.hcaactors.cli.gateway.PerftestTool;
import org.hcaactors.cli.gateway.PingPongTerms;
import org.hcaactors.cli.gateway.Station;
import org.hcaactors.cli.gateway.TcpService;
import org.hcaactors.cli.gateway.UcmatoseTerms;
import org.hcaactors.cli.gateway.nvme.DiscoveryController;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.lab.fault.PacketFaults;
import org.hcaactors.lab.pair.Transport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "gateway",
        description = {
            "Serves the classic tools over a cable: an adapter at --local that real RoCEv2 adapters and other JVMs reach.",
            "With --serve pingpong it is the server of ibv_rc_pingpong, ibv_uc_, ibv_ud_ and ibv_srq_pingpong, which"
                    + " introduce themselves at the TCP port --listen of the same address, and sends each message back."
                    + " A client begins with: ibv_rc_pingpong -g INDEX -m 1024 IP.",
            "With --serve perftest it is the server of ib_send_bw, ib_write_lat and the other tests of --test:"
                    + " ib_send_bw -x INDEX IP.",
            "With --serve rping it is the server of rping -c -a IP, and with --serve ucmatose that of ucmatose -s IP; both"
                    + " connect by communication management.",
            "With --serve nvme-probe it is a discovery controller of NVMe over RDMA, for nvme discover -t rdma -a IP -s 4420. Its"
                    + " log page has one entry, itself: it has no namespace.",
            "With --between it stands between two programs on two hosts: each takes it for the other one. Their packets pass"
                    + " with other addresses, with the faults of a plan in which the hosts are a and b, and into the capture.",
            "At the end it prints the counters of the cable. It ends after --for or --clients, or if it is interrupted."
        },
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class GatewayCommand implements Callable<Integer> {
    private static final int LARGEST_MESSAGE = 1 << 24;
    private static final int LARGEST_OWN = 1 << 20;

    /** A client may have 255 queue pairs, each with two receives of that size. */
    private static final int LARGEST_SHARED = 1 << 16;

    private static final int MAX_CLIENTS = 1_000_000;
    private static final long MAX_ROUNDS = 100_000_000;
    private static final Duration LONGEST = Duration.ofDays(30);

    /** Classic tools whose server it can be. */
    enum Tool {
        PINGPONG("ping-pong"),
        PERFTEST("perftest"),
        RPING("rping"),
        UCMATOSE("ucmatose"),
        NVME_PROBE("NVMe discovery");

        private final String words;

        Tool(String words) {
            this.words = words;
        }

        /** True if its clients connect by communication management only, to this port of the adapter. */
        OptionalInt adapterPort() {
            return switch (this) {
                case PINGPONG, PERFTEST -> OptionalInt.empty();
                case RPING -> OptionalInt.of(ConnectionService.RPING_PORT);
                case UCMATOSE -> OptionalInt.of(ConnectionService.UCMATOSE_PORT);
                case NVME_PROBE -> OptionalInt.of(ConnectionService.NVME_PORT);
            };
        }

        /** Returns the value of the option. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    @Option(
            names = "--local",
            paramLabel = "IP",
            arity = "1..2",
            converter = IpOption.class,
            description =
                    "address of the adapter: over UDP one of this machine, any of 127.0.0.0/8 on Linux. With --between two:"
                            + " the one that host A takes for that of B, and the one that B takes for that of A")
    private @Nullable List<InetAddress> local;

    @Mixin
    private BetweenOptions between;

    @Mixin
    private CableOptions cable;

    @Option(names = "--serve", paramLabel = "TOOL", description = "pingpong, perftest, rping, ucmatose or nvme-probe")
    private Tool tool;

    @Option(
            names = "--test",
            description =
                    "with perftest: send_bw, send_lat, write_bw, write_lat, read_bw, read_lat, atomic_bw or atomic_lat")
    private @Nullable PerftestTool test;

    @Option(
            names = {"-R", "--rdma-cm"},
            description =
                    "with perftest: clients with -R, which connect by communication management to the adapter's port"
                            + " --listen")
    private boolean rdmaCm;

    @Option(
            names = "--listen",
            paramLabel = "PORT",
            description =
                    "TCP port where clients introduce themselves; 0: any that is free (default: 18515). With rping,"
                            + " ucmatose and nvme-probe the adapter's port (default: 7174, 7471, 4420)")
    @AllowedRange(min = 0, max = 65_535)
    private @Nullable Integer listen;

    @Option(
            names = "--transport",
            defaultValue = "rc",
            converter = TransportOption.Option.class,
            description = "rc, uc or ud, with pingpong also srq: ibv_srq_pingpong (default: rc)")
    private TransportOption transport;

    @Option(
            names = {"-m", "--mtu"},
            defaultValue = "1024",
            converter = MtuOption.class,
            description =
                    "path MTU of ping-pongs, the same as the client's -m: 256, 512, 1024, 2048 or 4096 (default: 1024)")
    private PathMtu mtu;

    @Option(
            names = {"-s", "--size"},
            description =
                    "bytes of the largest message (default: 1048576; srq: 65536; ud: the path MTU); with write_lat and ucmatose of"
                            + " every message (default: 2, 100)")
    @AllowedRange(min = 0, max = LARGEST_MESSAGE)
    private @Nullable Integer size;

    @Option(
            names = {"-n", "--iters"},
            description =
                    "rounds of each client (default: until it sends nothing for 5 s; rping: until it disconnects); with ucmatose"
                            + " messages each way (default: 10)")
    @AllowedRange(min = 1, max = MAX_ROUNDS)
    private @Nullable Long rounds;

    @Option(
            names = "--clients",
            description =
                    "end after so many clients, with status 1 if one of them failed; with --between after so many TCP"
                            + " connections, when no packet has passed for 2 s (default: any number)")
    @AllowedRange(min = 1, max = MAX_CLIENTS)
    private @Nullable Integer clients;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = TimeSpan.class,
            description = "end after that time: 30s, 10m, 1h (default: when it is interrupted)")
    private @Nullable Duration time;

    @Option(names = "--json", description = "print one JSON object a line instead")
    private boolean json;

    @Mixin
    private WireOptions wire;

    @Mixin
    private ModelOptions model;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BadInputException, InterruptedException {
        if (between.areUsed()) {
            return between();
        }
        Checks check = new Checks(spec);
        check.that(local != null, "--local is required: the address of the adapter");
        check.that(local == null || local.size() == 1, "--local has two addresses; without --between one is allowed");
        check.that(!between.hasForwards(), "--forward requires --between");
        check.that(tool != null, "--serve is required: pingpong, perftest, rping, ucmatose or nvme-probe");
        check.that(
                tool.adapterPort().isEmpty() && !rdmaCm || listen == null || listen > 0,
                "--listen is 0; rping, ucmatose, nvme-probe and --rdma-cm require a port from 1 to 65535");
        check.that(
                tool != Tool.NVME_PROBE || size == null && rounds == null,
                "omit --size and --iters: nvme-probe has none");
        check.that(
                tool != Tool.UCMATOSE || ucmatose().isAllowed(),
                "--iters is " + ucmatose().messages() + ", --size " + ucmatose().bytes() + "; ucmatose allows 1 to "
                        + UcmatoseTerms.MOST_MESSAGES + " messages of 1 to " + UcmatoseTerms.MOST_BYTES + " bytes");
        check.that(
                !rdmaCm || tool == Tool.PERFTEST && transport.transport() == Transport.RC,
                "--rdma-cm requires --serve perftest and --transport rc");
        check.that(
                transport.isClassic() || tool == Tool.PINGPONG && transport.sharesReceives(),
                "--transport is " + transport + "; rc, uc and ud are allowed, and srq with --serve pingpong");
        check.that(
                (tool == Tool.PERFTEST) == (test != null), "--serve perftest requires --test, and nothing else does");
        check.that(test == null || rounds == null, "omit --iters: the client of a perftest says when it is done");
        check.that(
                test == null || test.isSend() || transport.transport() != Transport.UD,
                "--transport ud requires --test send_bw or send_lat");
        InetAddress own = local == null ? InetAddress.getLoopbackAddress() : local.getFirst();
        Cable wired = cable.cable(spec, "--local", own);
        Profile profile = model.profile();
        Optional<PacketFaults> faults = wire.plan();
        CableOutput output = new CableOutput(spec.commandLine().getOut(), json);
        Clients served = new Clients(output::client, clients == null ? 0 : clients);
        try (Interruption interruption = Interruption.calling(served::stop)) {
            return interruption.reported(run(wired, profile, faults, served, output));
        }
    }

    private int between() throws BadInputException, InterruptedException {
        Checks check = new Checks(spec);
        boolean serves = rdmaCm || tool != null || test != null || listen != null || rounds != null || size != null;
        check.that(
                !serves && !cable.hasPeers() && !wire.record().isUsed(),
                "omit --between, or --serve, --test, --listen, --iters, --size, --peer and --record");
        BetweenAddresses addresses = between.addresses(check, local == null ? List.of() : local, cable);
        Optional<PacketFaults> faults = wire.plan();
        CableOutput output = new CableOutput(spec.commandLine().getOut(), json);
        Clients forwarded = new Clients(output::client, clients == null ? 0 : clients);
        BetweenRun run = new BetweenRun(addresses, cable, between.forwards(), wire, output);
        try (Interruption interruption = Interruption.calling(forwarded::stop)) {
            return interruption.reported(run.run(faults, forwarded, time == null ? LONGEST : time));
        }
    }

    private int run(Cable wired, Profile profile, Optional<PacketFaults> faults, Clients served, CableOutput output)
            throws BadInputException, InterruptedException {
        try (Station station = Station.open(wired, profile, wire.record().trace())) {
            new Checks(spec)
                    .that(
                            mtu.bytes() <= station.activeMtu().bytes(),
                            "--mtu is " + mtu.bytes() + "; with this cable and profile at most "
                                    + station.activeMtu().bytes() + " is allowed");
            WireOptions.Wire watched = wire.begin(station, faults);
            try {
                serve(station, served, output);
            } finally {
                watched.end(output);
            }
            output.counters(station, wire.wantsReport());
            return served.missing() ? Hca.NOT_AS_EXPECTED : Hca.OK;
        }
    }

    private void serve(Station station, Clients served, CableOutput output)
            throws BadInputException, InterruptedException {
        try (served;
                GatewayService service = start(station, served)) {
            started(station, service, output);
            served.await(time == null ? LONGEST : time);
        } catch (IOException failed) {
            throw new BadInputException(String.valueOf(failed.getMessage()));
        }
    }

    private void started(Station station, GatewayService service, CableOutput output) {
        ObjectNode object = CableOutput.start(station)
                .put("serving", tool.toString())
                .put("transport", transport.toString())
                .put("largestMessageBytes", bytes(station))
                .put("listen", service.port());
        output.tell(
                List.of(
                        "cable      " + station.cable() + ", peers " + station.peers(),
                        "serving    " + words() + ", messages of at most " + bytes(station) + " bytes, "
                                + service.place()),
                test == null ? object : object.put("test", test.toString()));
    }

    private String words() {
        String what = test == null ? tool.words : tool.words + " " + test;
        return tool.adapterPort().isPresent() ? what : what + " over " + transport;
    }

    private GatewayService start(Station station, Clients served) throws IOException {
        long each = rounds == null ? 0 : rounds;
        int bytes = bytes(station);
        return switch (tool) {
            case PINGPONG -> {
                PingPongTerms terms = new PingPongTerms(transport.transport(), mtu, bytes);
                yield transport.sharesReceives()
                        ? TcpService.srqPingPong(tcp(station), served, station, terms, each)
                        : TcpService.pingPong(tcp(station), served, station, terms, each);
            }
            case PERFTEST -> {
                PerftestTerms terms = new PerftestTerms(tested(), transport.transport(), bytes);
                yield rdmaCm
                        ? PerftestCmService.start(station, tcp(station).getPort(), served, terms)
                        : TcpService.perftest(tcp(station), served, station, terms);
            }
            case RPING ->
                ConnectionService.rping(station.network(), station.adapter(), adapterPort(), served, bytes, each);
            case UCMATOSE -> ConnectionService.ucmatose(station, adapterPort(), served, ucmatose());
            case NVME_PROBE -> ConnectionService.nvmeProbe(station, adapterPort(), served);
        };
    }

    private int adapterPort() {
        return listen == null ? tool.adapterPort().orElse(Exchange.DEFAULT_PORT) : listen;
    }

    private UcmatoseTerms ucmatose() {
        long messages = rounds == null ? UcmatoseTerms.USUAL_MESSAGES : rounds;
        return new UcmatoseTerms((int) messages, size == null ? UcmatoseTerms.USUAL_BYTES : size);
    }

    private InetSocketAddress tcp(Station station) {
        return new InetSocketAddress(station.host(), listen == null ? Exchange.DEFAULT_PORT : listen);
    }

    private PerftestTool tested() {
        return test == null ? PerftestTool.SEND_BW : test;
    }

    private int bytes(Station station) {
        if (size != null) {
            return size;
        }
        if (test == PerftestTool.WRITE_LAT) {
            return 2;
        }
        if (tool == Tool.UCMATOSE) {
            return UcmatoseTerms.USUAL_BYTES;
        }
        if (tool == Tool.NVME_PROBE) {
            return DiscoveryController.MOST_DATA_BYTES;
        }
        PathMtu largest = tool == Tool.PERFTEST ? station.activeMtu() : mtu;
        int longest = transport.sharesReceives() ? LARGEST_SHARED : LARGEST_OWN;
        return transport.transport() == Transport.UD ? largest.bytes() : longest;
    }
}
