package org.hcaactors.lab.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.lab.chance.Lots;
import org.hcaactors.network.RdmaNetwork;

/**
 * A service on real threads that creates, uses and closes everything there is, over and over. When it has warmed up, and in
 * the end, it looks at what the JVM holds: that must not grow.
 *
 * <p>The seed decides what each lane does; how the lanes meet is the threads' business.
 */
public final class Soak {
    /** What was done so far. */
    public record Done(long rounds, long objects, long requests) {}

    /**
     * What a run came to.
     *
     * @param before when it had warmed up
     * @param after in the end, with nothing open
     * @param failure the first round that ended otherwise than it must
     */
    public record Report(Done done, Footprint before, Footprint after, Optional<Throwable> failure) {
        /** What is held in the end, beyond {@code tolerance}, and was not in the beginning. */
        public List<String> grown(Footprint tolerance) {
            List<String> grown = new ArrayList<>();
            if (after.heapBytes() - before.heapBytes() > tolerance.heapBytes()) {
                grown.add("heap");
            }
            if (after.directBytes() - before.directBytes() > tolerance.directBytes()) {
                grown.add("direct memory");
            }
            if (after.threads() - before.threads() > tolerance.threads()) {
                grown.add("threads");
            }
            return grown;
        }
    }

    private record Share(int weight, String name, Round round) {}

    private static final int LANES = 2;
    /** Enough for every round to have been compiled, and every pool to have its threads. */
    public static final int WARM_UP = 600;

    private static final int LOOKS = 20;
    private static final int MILLIS_BETWEEN_LOOKS = 250;

    private final long seed;
    private final int warmUp;
    private final Tally tally = new Tally();
    private final List<Share> shares;
    private final int weights;
    private volatile Optional<Throwable> failure = Optional.empty();

    private Soak(long seed, int warmUp) {
        this.seed = seed;
        this.warmUp = warmUp;
        List<Share> single = List.of(
                new Share(20, "reliable connection", new ReliableRound()),
                new Share(10, "unreliable connection", new UnreliableRound()),
                new Share(10, "datagrams", new DatagramRound()),
                new Share(10, "shared receives", new SharedReceiveRound()),
                new Share(10, "streamed completions", new StreamRound()),
                new Share(10, "armed completion queue", new ArmedRound()),
                new Share(10, "reset", new ResetRound()),
                new Share(10, "revocation", new RevocationRound()),
                new Share(5, "overflow", new OverflowRound()),
                new Share(5, "random walk", new WalkRound()),
                new Share(10, "abandoned process", new AbandonedRound()));
        List<Round> within = single.stream().map(Share::round).toList();
        shares = Stream.concat(single.stream(), Stream.of(new Share(1, "whole network", new NetworkRound(within))))
                .toList();
        weights = shares.stream().mapToInt(Share::weight).sum();
    }

    public static Soak of(long seed) {
        return new Soak(seed, WARM_UP);
    }

    /** Compares with what was held after so many rounds. */
    public Soak warmingUpFor(int rounds) {
        return new Soak(seed, rounds);
    }

    /** Safe to ask from another thread while it runs. */
    public Done done() {
        return tally.done();
    }

    /** Warms up, then goes on until {@code over}, and looks what is left. */
    public Report run(BooleanSupplier over) {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            Adapter a = network.addAdapter("a", Profile.CONNECTX_5);
            Adapter b = network.addAdapter("b", Profile.CONNECTX_5);
            List<Ground> grounds = new ArrayList<>();
            for (int lane = 0; lane < LANES; lane++) {
                grounds.add(new Ground(network, a, b, lane, Lots.of(seed, "lane " + lane), tally));
            }
            long warm = tally.rounds.sum() + warmUp;
            play(grounds, () -> tally.rounds.sum() >= warm);
            Footprint before = Footprint.collected();
            play(grounds, over);
            return new Report(tally.done(), before, settled(before), failure);
        }
    }

    /** Threads of a network that was closed end a moment later, and so do its buffers. */
    private static Footprint settled(Footprint before) {
        Footprint now = Footprint.collected();
        for (int i = 1; i < LOOKS && !now.isWithin(before, Footprint.TOLERANCE); i++) {
            Footprint.rest(MILLIS_BETWEEN_LOOKS);
            now = Footprint.collected();
        }
        return now;
    }

    private void play(List<Ground> grounds, BooleanSupplier over) {
        List<Thread> lanes = grounds.stream()
                .map(ground -> Thread.ofPlatform().name("lane-" + ground.lane()).start(() -> play(ground, over)))
                .toList();
        for (Thread lane : lanes) {
            try {
                lane.join();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while the lanes play", interrupted);
            }
        }
    }

    private void play(Ground ground, BooleanSupplier over) {
        while (!over.getAsBoolean() && failure.isEmpty()) {
            Share share = draw(ground.lots());
            try {
                share.round.play(ground);
                tally.rounds.increment();
            } catch (RuntimeException | Error broken) {
                failed(new IllegalStateException(
                        "round \"" + share.name + "\" failed: " + broken.getMessage(), broken));
            }
        }
    }

    /** The first one counts: what follows may follow from it. */
    private synchronized void failed(IllegalStateException why) {
        if (failure.isEmpty()) {
            failure = Optional.of(why);
        }
    }

    private Share draw(SplittableRandom lots) {
        int at = lots.nextInt(weights);
        for (Share share : shares) {
            at -= share.weight;
            if (at < 0) {
                return share;
            }
        }
        throw new IllegalStateException("weights don't add up");
    }
}
