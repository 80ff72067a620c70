// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.cli.gateway.PingPongTerms;
import org.hcaactors.cli.gateway.SrqPingPongGame;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.pair.Transport;
import org.hcaactors.lab.world.World;
import org.hcaactors.network.RdmaNetwork;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "pingpong",
        description = {
            "The classic example: a message travels between two adapters in turns.",
            "With --via each program plays one end, over a UDP cable: the client sends other bytes in each round, and compares"
                    + " what comes back. Exit status 1 if it differs, or the other end breaks off."
        },
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class PingPong implements Callable<Integer> {
    private static final int MAX_BYTES = 1 << 24;
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private static final int UD_BYTES = 2048;
    private static final int OTHER_BYTES = 4096;
    private static final int MAX_QUEUE_PAIRS = 64;
    private static final long MAX_ROUNDS = 100_000_000;

    @Option(
            names = "--transport",
            defaultValue = "rc",
            converter = TransportOption.Option.class,
            description = "rc, uc, ud, xrc, dc or srq (default: rc)")
    private TransportOption transport;

    @Option(
            names = {"-s", "--size"},
            description = "bytes of a message (default: 4096; ud: 2048, and at most 4096)")
    @AllowedRange(min = 0, max = MAX_BYTES)
    private @Nullable Integer size;

    @Option(
            names = {"-q", "--num-qp"},
            description = "queue pairs that share receives, with srq only (default: 16)")
    @AllowedRange(min = 1, max = MAX_QUEUE_PAIRS)
    private @Nullable Integer queuePairs;

    @Option(
            names = {"-c", "--clients"},
            description = "client processes of one server, with xrc only (default: 1)")
    @AllowedRange(min = 1, max = MAX_QUEUE_PAIRS)
    private @Nullable Integer clients;

    @Option(
            names = {"-n", "--iters"},
            defaultValue = "1000",
            description =
                    "rounds, with srq for each queue pair (with --via for all together, as ibv_srq_pingpong counts), with xrc"
                            + " for each client (default: 1000)")
    @AllowedRange(min = 1, max = MAX_ROUNDS)
    private long rounds;

    @Option(
            names = {"-m", "--mtu"},
            defaultValue = "1024",
            converter = MtuOption.class,
            description = "256, 512, 1024, 2048 or 4096 (default: 1024)")
    private PathMtu mtu;

    @Option(
            names = "--seed",
            description = "run in a deterministic world: virtual time over links of 1 us and 100 Gbit/s")
    @AllowedRange
    private @Nullable Long seed;

    @Option(names = "--json", description = "print one JSON document instead; with --via one JSON object a line")
    private boolean json;

    @Mixin
    private OutsideOptions outside;

    @Mixin
    private ModelOptions model;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BadInputException, InterruptedException {
        Checks check = new Checks(spec);
        long max = transport.transport().maxBytes();
        check.that(bytes() <= max, "--size is " + bytes() + "; with " + transport + " 0 to " + max + " is allowed");
        check.that(queuePairs == null || transport.sharesReceives(), "--num-qp requires --transport srq");
        check.that(clients == null || names(), "--clients requires --transport xrc");
        outside.check(spec);
        Profile profile = model.profile();
        if (outside.areUsed()) {
            return acrossCable(check, profile);
        }
        if (seed != null) {
            try (World world = World.of(seed)) {
                play(world.network(), profile, LinkProperties.of(1000, 100_000_000_000L), world::now);
            }
        } else {
            try (RdmaNetwork network = RdmaNetwork.start()) {
                play(network, profile, LinkProperties.IDEAL, System::nanoTime);
            }
        }
        return Hca.OK;
    }

    private void play(RdmaNetwork network, Profile profile, LinkProperties link, LongSupplier clock) {
        Adapter left = network.addAdapter("left", profile, link);
        Adapter right = network.addAdapter("right", profile, link);
        MessageKind game = names() ? shared(network, left, right) : rallies(network, left, right);
        long start = clock.getAsLong();
        try (Progress progress = new Progress(!json, game.rounds(), game::played)) {
            network.await(game.play(), TIMEOUT);
        }
        report(game.addresses(), game.rounds(), Math.max(1, clock.getAsLong() - start));
    }

    private int acrossCable(Checks check, Profile profile) throws BadInputException, InterruptedException {
        check.that(seed == null, "omit --seed or --via: a cable has no virtual time");
        check.that(
                transport.isClassic() || transport.sharesReceives(),
                "--transport is " + transport + "; with --via rc, uc, ud and srq are allowed");
        return outside.play(spec, profile, json, (station, output) -> {
            int largest = station.activeMtu().bytes();
            check.that(
                    mtu.bytes() <= largest,
                    "--mtu is " + mtu.bytes() + "; over this cable at most " + largest + " is allowed");
            PingPongTerms terms = new PingPongTerms(transport.transport(), mtu, bytes());
            OutsidePingPong end = new OutsidePingPong(
                    station,
                    terms,
                    transport.sharesReceives() ? OptionalInt.of(pairs()) : OptionalInt.empty(),
                    rounds,
                    output);
            OutsidePingPong.Played played = outside.isServer() ? end.server(outside) : end.client(outside);
            report(played.addresses(), rounds, Math.max(1, played.score().nanos()));
        });
    }

    /** True if each message names its queue. */
    private boolean names() {
        return transport.transport() == Transport.XRC;
    }

    private MessageKind shared(RdmaNetwork network, Adapter left, Adapter right) {
        RcConnection attributes = RcConnection.DEFAULT.withMtu(mtu);
        return new XrcPingPong(network, left, right, clients != null ? clients : 1, bytes(), rounds, attributes);
    }

    private MessageKind rallies(RdmaNetwork network, Adapter left, Adapter right) {
        long memory = 2L * bytes() + UdQueuePair.GRH_BYTES + 8;
        QpCapacity capacity = QpCapacity.of(16).withMaxSge(1).withMaxInlineBytes(0);
        Shape shape = new Shape(RcConnection.DEFAULT.withMtu(mtu), capacity, 255, memory);
        Half one = transport.half(network, left, shape);
        Half other = transport.half(network, right, shape);
        List<Ends<?>> all = new ArrayList<>();
        for (int i = 0; i < pairs(); i++) {
            all.add(transport.ends(network, one, other, shape));
        }
        return PingPongRuns.of(all, bytes(), rounds);
    }

    private int bytes() {
        return size != null ? size : transport.transport() == Transport.UD ? UD_BYTES : OTHER_BYTES;
    }

    private int pairs() {
        return queuePairs != null ? queuePairs : transport.sharesReceives() ? SrqPingPongGame.DEFAULT_QUEUE_PAIRS : 1;
    }

    private void report(List<String> addresses, long all, long nanos) {
        PrintWriter out = spec.commandLine().getOut();
        long moved = 2L * bytes() * all;
        double gigabits = moved * 8.0 / nanos;
        double micros = nanos / 1e3 / all;
        if (json) {
            ObjectNode object = outside.areUsed() ? CableOutput.event("result") : JsonNodeFactory.instance.objectNode();
            out.println(object.put("transport", transport.toString())
                    .put("bytes", moved)
                    .put("iters", all)
                    .put("virtualTime", seed != null)
                    .put("seconds", nanos / 1e9)
                    .put("gigabitsPerSecond", gigabits)
                    .put("microsPerIter", micros));
        } else {
            addresses.forEach(out::println);
            String time = seed != null ? "virtual seconds" : "seconds";
            out.printf("%d bytes in %.6f %s = %.2f Gbit/sec%n", moved, nanos / 1e9, time, gigabits);
            out.printf("%d iters in %.6f %s = %.2f usec/iter%n", all, nanos / 1e9, time, micros);
        }
        out.flush();
    }
}
