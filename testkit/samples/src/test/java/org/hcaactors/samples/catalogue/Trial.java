// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.shrink.Shrinker;
import org.hcaactors.lab.shrink.Shrunk;
import org.hcaactors.lab.world.Pace;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;
import org.hcaactors.lab.world.WorldStalledException;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.explain.Explanation;

/** Runs a program as an {@code @RdmaTest} with default settings does. */
public record Trial(Swarm swarm, Consumer<World> program) {
    /** The same time as the JUnit extension's. */
    private static final Duration REST = Duration.ofSeconds(10);

    /**
     * A failed run.
     *
     * @param reason its explanation in one line; empty if no request failed and none waits
     */
    public record Failure(long seed, Throwable thrown, Optional<String> reason) {
        private static final int LONGEST = 160;

        /** Returns the explanation, otherwise the message of the exception, in one line. */
        String told() {
            String said =
                    String.valueOf(thrown.getMessage()).replaceAll("\\s+", " ").strip();
            return reason.orElseGet(() -> said.length() <= LONGEST ? said : said.substring(0, LONGEST) + " ...");
        }

        @Override
        public String toString() {
            return "seed " + seed + ": " + thrown;
        }
    }

    public static Trial ofWrong(Entry entry) {
        return new Trial(entry.swarm(), entry.wrong());
    }

    public static Trial ofRight(Entry entry) {
        return new Trial(entry.swarm(), entry.right());
    }

    /** Runs one seed; empty if it does not fail. */
    public Optional<Failure> run(long seed) {
        World world = World.of(WorldOptions.ofProgram(seed, Pace.DRAWN));
        try {
            swarm.plan(seed).faults().forEach(world.faults()::arm);
            toTheEnd(world);
            world.close();
            return Optional.empty();
        } catch (RuntimeException | Error thrown) {
            Optional<String> reason = reason(world, thrown);
            close(world);
            return Optional.of(new Failure(seed, thrown, reason));
        }
    }

    public Optional<Failure> firstFailure(long seeds) {
        return LongStream.range(0, seeds)
                .mapToObj(this::run)
                .flatMap(Optional::stream)
                .findFirst();
    }

    long failures(long seeds) {
        return LongStream.range(0, seeds).filter(seed -> run(seed).isPresent()).count();
    }

    Shrunk shrunk(long seed) {
        return Shrinker.of(this::toTheEnd)
                .shrink(seed, Pace.DRAWN, swarm.plan(seed))
                .orElseThrow();
    }

    private void toTheEnd(World world) {
        program.accept(world);
        world.faults().stop();
        world.runToQuiet(REST);
    }

    private static Optional<String> reason(World world, Throwable thrown) {
        Explainer explainer = world.explainer();
        List<Explanation> said = explainer.failures();
        if (said.isEmpty() && thrown instanceof WorldStalledException) {
            said = explainer.waiting();
        }
        return said.stream()
                .findFirst()
                .map(explanation -> explanation.what() + ", because " + root(explanation))
                .or(() -> explainer.postedAgain().stream().findFirst());
    }

    /** Returns the root cause, unless its line only counts further ones. */
    private static String root(Explanation explanation) {
        return explanation.because().reversed().stream()
                .filter(line -> !line.endsWith(" more"))
                .findFirst()
                .orElse(explanation.root());
    }

    private static void close(World world) {
        try {
            world.close();
        } catch (RuntimeException | AssertionError again) {
            // Errors on closing are ignored: the failure of the run explains them.
        }
    }
}
