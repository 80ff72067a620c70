package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.PathMtu;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.End;
import org.hcaactors.lab.world.World;
import org.hcaactors.network.RdmaNetwork;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "pingpong",
        description = "The classic example: a message goes to and fro between two adapters.",
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class PingPong implements Callable<Integer> {
    private static final int MOST_BYTES = 1 << 24;
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** What can be played so far. */
    enum Transport {
        RC
    }

    @Option(names = "--transport", defaultValue = "rc", description = "rc (default: rc)")
    private Transport transport;

    @Option(
            names = {"-s", "--size"},
            defaultValue = "4096",
            description = "bytes of a message (default: 4096)")
    private int bytes;

    @Option(
            names = {"-n", "--iters"},
            defaultValue = "1000",
            description = "rounds (default: 1000)")
    private long rounds;

    @Option(
            names = {"-m", "--mtu"},
            defaultValue = "1024",
            description = "256 to 4096 (default: 1024)")
    private int mtu;

    @Option(
            names = "--seed",
            description = "play in a deterministic world: virtual time over links of 1 us and 100 Gbit/s")
    private @Nullable Long seed;

    @Option(names = "--json", description = "print one JSON document instead")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        check(bytes >= 0 && bytes <= MOST_BYTES, "--size is " + bytes + "; 0 to " + MOST_BYTES + " is allowed");
        check(rounds >= 1, "--iters is " + rounds + "; at least 1 is allowed");
        if (seed != null) {
            try (World world = World.of(seed)) {
                play(world.network(), LinkProperties.of(1000, 100_000_000_000L), world::now);
            }
        } else {
            try (RdmaNetwork network = RdmaNetwork.start()) {
                play(network, LinkProperties.IDEAL, System::nanoTime);
            }
        }
        return Hca.OK;
    }

    private void play(RdmaNetwork network, LinkProperties link, LongSupplier clock) {
        Adapter left = network.addAdapter("left", Profile.CONNECTX_5, link);
        Adapter right = network.addAdapter("right", Profile.CONNECTX_5, link);
        RcConnection terms = RcConnection.DEFAULT.withMtu(pathMtu());
        ConnectedPair pair = ConnectedPair.between(
                network, left, right, new ConnectedPair.Shape(terms, QpCapacity.DEFAULT, 255, 2L * bytes + 8));
        long start = clock.getAsLong();
        network.await(new Rally(pair, bytes, rounds).play(), PATIENCE);
        report(pair, Math.max(1, clock.getAsLong() - start));
    }

    private void report(ConnectedPair pair, long nanos) {
        PrintWriter out = spec.commandLine().getOut();
        long moved = 2L * bytes * rounds;
        double gigabits = moved * 8.0 / nanos;
        double micros = nanos / 1e3 / rounds;
        if (json) {
            out.println(JsonNodeFactory.instance
                    .objectNode()
                    .put("transport", transport.name().toLowerCase(Locale.ROOT))
                    .put("bytes", moved)
                    .put("iters", rounds)
                    .put("virtualTime", seed != null)
                    .put("seconds", nanos / 1e9)
                    .put("gigabitsPerSecond", gigabits)
                    .put("microsPerIter", micros));
        } else {
            out.println(address("local", pair.a()));
            out.println(address("remote", pair.b()));
            String time = seed != null ? "virtual seconds" : "seconds";
            out.printf("%d bytes in %.6f %s = %.2f Gbit/sec%n", moved, nanos / 1e9, time, gigabits);
            out.printf("%d iters in %.6f %s = %.2f usec/iter%n", rounds, nanos / 1e9, time, micros);
        }
        out.flush();
    }

    private static String address(String whose, End end) {
        return "  %-6s address: QPN 0x%06x, GID %s"
                .formatted(whose, end.qp().number(), end.adapter().gid());
    }

    private PathMtu pathMtu() {
        for (PathMtu known : PathMtu.values()) {
            if (known.bytes() == mtu) {
                return known;
            }
        }
        throw new ParameterException(
                spec.commandLine(), "--mtu is " + mtu + "; 256, 512, 1024, 2048 and 4096 are allowed");
    }

    private void check(boolean holds, String what) {
        if (!holds) {
            throw new ParameterException(spec.commandLine(), what);
        }
    }
}
