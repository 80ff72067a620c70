// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.lab.chance.RandomStreams;

/**
 * A service on real threads that creates, uses and closes every kind of object, repeatedly. After the warm-up and at the end it
 * measures the JVM's resources, which must not grow.
 *
 * <p>The seed determines what each worker does; how the workers interleave depends on the threads. Every stage of a verb is
 * counted and must complete, and received data is compared with what was sent. A round that does not end is given up after a
 * minute, and the report names what it waits for.
 */
public final class Soak {
    /**
     * Totals so far.
     *
     * @param stages stages returned by verbs
     * @param ended stages that completed
     * @param transferredBytes bytes of requests that succeeded
     * @param verifiedBytes bytes that arrived and were compared with what had been sent
     * @param crashes actors crashed on purpose
     */
    public record Done(
            long rounds,
            long objects,
            long requests,
            long stages,
            long ended,
            long transferredBytes,
            long verifiedBytes,
            long crashes) {}

    /**
     * Result of a run.
     *
     * @param before resources after the warm-up
     * @param after resources at the end, with nothing open
     * @param actors actors alive at the end, although nothing is open
     * @param failure the first round with a wrong result, or the failure of closing everything
     */
    public record Report(
            Done done, Footprint before, Footprint after, List<String> actors, Optional<Throwable> failure) {
        private static final int ACTORS_NAMED = 8;

        /** Describes what grew beyond {@code tolerance}, and by how much. */
        public List<String> grown(Footprint tolerance) {
            List<String> grown = new ArrayList<>(after.beyond(before, tolerance));
            if (!actors.isEmpty()) {
                int more = actors.size() - ACTORS_NAMED;
                grown.add("actors: none may exist without open objects; " + actors.size() + " exist: "
                        + String.join(", ", actors.subList(0, Math.min(actors.size(), ACTORS_NAMED)))
                        + (more > 0 ? " and " + more + " more" : ""));
            }
            return grown;
        }

        private Report failed(Throwable reason) {
            return failure.isPresent() ? this : new Report(done, before, after, actors, Optional.of(reason));
        }
    }

    private record WeightedRound(int weight, String name, Round round) {}

    /** Device threads of each network: the default, and more for concurrency. */
    private static final int[] NETWORKS = {1, 3};

    private static final int LANES_EACH = 2;
    /** Enough for every round to be compiled, and every pool to have its threads. */
    public static final int WARM_UP = 600;

    private static final int LOOKS = 20;
    private static final int MILLIS_BETWEEN_LOOKS = 250;
    private static final int SECONDS_A_ROUND = 60;
    private static final int MILLIS_A_LOOK = 1000;

    private final long seed;
    private final int warmUp;
    private final int secondsARound;
    private final Totals tally = new Totals();
    private final List<WeightedRound> weightedRounds;
    private final int weights;
    private volatile Optional<Throwable> failure = Optional.empty();
    private volatile boolean stopped;

    private Soak(long seed, int warmUp, int secondsARound, List<WeightedRound> weightedRounds) {
        this.seed = seed;
        this.warmUp = warmUp;
        this.secondsARound = secondsARound;
        this.weightedRounds = weightedRounds;
        weights = weightedRounds.stream().mapToInt(WeightedRound::weight).sum();
    }

    private static List<WeightedRound> everything() {
        List<WeightedRound> single = List.of(
                new WeightedRound(20, "reliable connection", new ReliableRound()),
                new WeightedRound(10, "unreliable connection", new UnreliableRound()),
                new WeightedRound(10, "datagrams", new DatagramRound()),
                new WeightedRound(10, "shared receives", new SharedReceiveRound()),
                new WeightedRound(10, "messages by tag", new TaggedRound()),
                new WeightedRound(10, "streamed completions", new StreamRound()),
                new WeightedRound(10, "armed completion queue", new ArmedRound()),
                new WeightedRound(10, "reset", new ResetRound()),
                new WeightedRound(10, "revocation", new RevocationRound()),
                new WeightedRound(5, "overflow", new OverflowRound()),
                new WeightedRound(5, "random walk", new WalkRound()),
                new WeightedRound(10, "abandoned process", new AbandonedRound()));
        List<Round> within = single.stream().map(WeightedRound::round).toList();
        List<WeightedRound> beside = List.of(
                new WeightedRound(10, "shared connections", new TrafficRound()),
                new WeightedRound(20, "disruption", new DisruptionRound()),
                new WeightedRound(10, "creation during a close", new CreationRound()),
                new WeightedRound(1, "whole network", new NetworkRound(within)),
                new WeightedRound(1, "network closed under traffic", new ClosingRound()));
        return Stream.concat(single.stream(), beside.stream()).toList();
    }

    public static Soak of(long seed) {
        return new Soak(seed, WARM_UP, SECONDS_A_ROUND, everything());
    }

    /** Returns a soak of one round, for tests of the soak itself. */
    static Soak playing(Round round, int secondsARound) {
        return new Soak(0, 1, secondsARound, List.of(new WeightedRound(1, "the only one", round)));
    }

    /** Sets the number of rounds before the first measurement. */
    public Soak warmingUpFor(int rounds) {
        return new Soak(seed, rounds, secondsARound, weightedRounds);
    }

    /** Returns the totals so far; from any thread. */
    public Done done() {
        return tally.done();
    }

    /** Ends the run soon, with the results so far; from any thread. */
    public void stop() {
        stopped = true;
    }

    /** Warms up, runs until {@code over}, and compares the resources. */
    public Report run(BooleanSupplier over) {
        List<HostedNetwork> hosts = new ArrayList<>();
        Report report;
        try {
            for (int deviceThreads : NETWORKS) {
                hosts.add(new HostedNetwork(deviceThreads));
            }
            List<WorkerEnvironment> grounds = new ArrayList<>();
            for (int lane = 0; lane < LANES_EACH * hosts.size(); lane++) {
                grounds.add(WorkerEnvironment.on(
                        hosts.get(lane % hosts.size()), lane, RandomStreams.of(seed, "lane " + lane), tally));
            }
            long warm = tally.rounds.sum() + warmUp;
            play(grounds, () -> tally.rounds.sum() >= warm);
            Footprint before = Footprint.collected();
            play(grounds, over);
            report = settled(hosts, before);
        } catch (RuntimeException | Error broken) {
            close(hosts).forEach(broken::addSuppressed);
            throw broken;
        }
        List<IllegalStateException> closing = close(hosts);
        return closing.isEmpty() || stopped ? report : report.failed(closing.getFirst());
    }

    /** Closes all networks, even if closing one fails. */
    private static List<IllegalStateException> close(List<HostedNetwork> hosts) {
        List<IllegalStateException> failed = new ArrayList<>();
        for (HostedNetwork host : hosts) {
            try {
                host.close();
            } catch (RuntimeException broken) {
                failed.add(new IllegalStateException(
                        "the close of the soak's network must succeed, but ended with " + broken, broken));
            }
        }
        return failed;
    }

    /** Measures until the values settle: threads, buffers and actors of a closed network end a moment later. */
    private Report settled(List<HostedNetwork> hosts, Footprint before) {
        Footprint now = Footprint.collected();
        List<String> actors = actors(hosts);
        boolean judged = failure.isEmpty();
        for (int i = 1; judged && i < LOOKS && !(now.isWithin(before, Footprint.TOLERANCE) && actors.isEmpty()); i++) {
            Footprint.rest(MILLIS_BETWEEN_LOOKS);
            now = Footprint.collected();
            actors = actors(hosts);
        }
        return new Report(tally.done(), before, now, actors, failure);
    }

    private static List<String> actors(List<HostedNetwork> hosts) {
        return hosts.stream().flatMap(host -> host.actors().stream()).toList();
    }

    private void play(List<WorkerEnvironment> grounds, BooleanSupplier over) {
        List<Worker> playing = new ArrayList<>();
        for (WorkerEnvironment environment : grounds) {
            Worker lane = new Worker(environment, mine -> play(mine, over));
            playing.add(lane);
            lane.start();
        }
        while (!playing.isEmpty()) {
            int millis = MILLIS_A_LOOK / playing.size();
            playing.removeIf(lane -> lane.isOver(millis));
            for (Worker lane : List.copyOf(playing)) {
                if (lane.hangsFor(secondsARound)) {
                    failed(new IllegalStateException(lane.story()));
                    lane.giveUp();
                    playing.remove(lane);
                }
            }
        }
    }

    private void play(Worker lane, BooleanSupplier over) {
        WorkerEnvironment environment = lane.environment();
        while (!stopped && failure.isEmpty() && !over.getAsBoolean()) {
            WeightedRound weighted = draw(environment.random());
            lane.begins(weighted.name);
            try {
                weighted.round.play(environment);
                environment.openStages().settle();
                environment.checkOwnSubscribers();
                tally.rounds.increment();
            } catch (RuntimeException | Error broken) {
                failed(new IllegalStateException(
                        lane.words() + " failed"
                                + StackLocation.of(broken)
                                        .map(place -> " at " + place)
                                        .orElse("") + ": " + words(broken)
                                + environment.openStages().openText(),
                        broken));
                environment.openStages().forget();
            }
        }
    }

    /** Describes the expected and the actual result. */
    private static String words(Throwable broken) {
        return switch (broken) {
            case VerbsException refused -> "a verb must succeed, but was refused with " + refused.getMessage();
            case IllegalStateException failure -> String.valueOf(failure.getMessage());
            default -> "no exception is allowed, but one was thrown: " + broken;
        };
    }

    /**
     * Records a failure. The first one counts, since later ones may follow from it. Failures after the run was stopped do not
     * count: an interrupted JVM ends networks with actor systems of their own.
     */
    private synchronized void failed(IllegalStateException reason) {
        if (failure.isEmpty() && !stopped) {
            failure = Optional.of(reason);
        }
    }

    private WeightedRound draw(SplittableRandom random) {
        int at = random.nextInt(weights);
        for (WeightedRound weighted : weightedRounds) {
            at -= weighted.weight;
            if (at < 0) {
                return weighted;
            }
        }
        throw new IllegalStateException("the weights of the rounds do not add up");
    }
}
