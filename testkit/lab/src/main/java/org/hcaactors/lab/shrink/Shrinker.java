// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.shrink;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.hcaactors.lab.fault.Fault;
import org.hcaactors.lab.fault.FaultOverride;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.fault.PacketAction;
import org.hcaactors.lab.world.Pace;
import org.hcaactors.lab.world.RecordedSchedule;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;

/**
 * Reduces a failing run until no smaller one fails the same way. It starts with exactly the faults that struck, without random
 * choices, removes faults by delta debugging (Zeller and Hildebrandt 2002), puts the schedule in order as far as the run still
 * fails, and shortens delays.
 */
public final class Shrinker {
    /** Maximum number of runs. */
    public static final int MAX_RUNS = 2000;

    /** A program in two steps. Faults are armed between them, as between a test's preparations and the test. */
    @FunctionalInterface
    public interface Program {
        /** Prepares the world, and returns an action that may fail by throwing. */
        Runnable prepare(World world);
    }

    /** Options of the world of a seed. */
    @FunctionalInterface
    public interface Worlds {
        /** Worlds in which everything is checked that can be. */
        Worlds CHECKED = (seed, pace) -> WorldOptions.ofProgram(seed, pace).with(Watch.strictest());

        /** Returns options for one run, with new instances of the user's invariants. */
        WorldOptions of(long seed, Pace pace);
    }

    private final Program program;
    private final Worlds worlds;
    private final BooleanSupplier stop;
    private final Consumer<Shrunk> progress;
    private int runs;

    private Shrinker(Program program, Worlds worlds, BooleanSupplier stop, Consumer<Shrunk> progress) {
        this.program = program;
        this.worlds = worlds;
        this.stop = stop;
        this.progress = progress;
    }

    /**
     * @param program creates its adapters in the given world and runs; it fails by throwing
     * @param stop called before each run: true ends the search with the smallest run so far
     * @param progress receives every smaller run that is found
     */
    public Shrinker(Consumer<World> program, BooleanSupplier stop, Consumer<Shrunk> progress) {
        this(world -> () -> program.accept(world), Worlds.CHECKED, stop, progress);
    }

    public static Shrinker of(Consumer<World> program) {
        return new Shrinker(program, () -> false, shrunk -> {});
    }

    /** Returns a shrinker for a program in two steps. */
    public static Shrinker prepared(Program program, BooleanSupplier stop, Consumer<Shrunk> progress) {
        return new Shrinker(program, Worlds.CHECKED, stop, progress);
    }

    /** Returns the same shrinker for worlds with other options. */
    public Shrinker in(Worlds others) {
        return new Shrinker(program, others, stop, progress);
    }

    /** The smallest failing run so far. */
    private static final class Best {
        /** Faults that the program arms itself, if nothing replaces them. */
        final List<Fault> own;

        final int faultsBefore;
        Attempt attempt;
        Failed failed;

        Best(Attempt attempt, Failed failed) {
            this.own = failed.own();
            this.attempt = attempt.with(
                    attempt.plan(),
                    own.stream().map(fault -> FaultOverride.keep()).toList());
            this.failed = failed;
            this.faultsBefore = FaultPiece.of(failed.exactly(attempt), own).size()
                    + failed.before().size();
        }

        List<FaultPiece> parts() {
            return FaultPiece.of(attempt, own);
        }
    }

    /** Shrinks a program whose steps take no time; empty if the run with that seed and plan does not fail. */
    public Optional<Shrunk> shrink(long seed, FaultPlan plan) {
        return shrink(seed, Pace.INSTANT, plan);
    }

    /** Shrinks a program whose steps take the time of that pace; empty if the run does not fail. */
    public Optional<Shrunk> shrink(long seed, Pace pace, FaultPlan plan) {
        Attempt first = Attempt.of(seed, pace, plan);
        Optional<Failed> failed = run(first);
        if (failed.isEmpty()) {
            return Optional.empty();
        }
        Best best = new Best(first, failed.get());
        // The faults that struck, without random choices. If no fault was drawn, this is the same run.
        accept(best, failed.get().exactly(first));
        accept(best, FaultPiece.in(best.attempt, List.of()));
        accept(best, best.attempt.with(Pace.INSTANT));
        accept(best, best.attempt.with(RecordedSchedule.IN_ORDER));
        takeOut(best);
        straighten(best);
        shorten(best);
        return Optional.of(shrunk(best, !isOver()));
    }

    private boolean isOver() {
        return runs >= MAX_RUNS || stop.getAsBoolean();
    }

    private Shrunk shrunk(Best best, boolean complete) {
        List<Fault> left = new ArrayList<>(best.failed.before());
        best.parts().forEach(part -> left.add(part.fault()));
        return new Shrunk(
                FaultPiece.asArmed(best.attempt, best.own),
                best.failed.symptom(),
                best.failed.story(),
                new FaultPlan(left),
                best.failed.faults().strikes(),
                best.faultsBefore,
                runs,
                complete);
    }

    /** Tries the attempt; true if it fails the same way, and it is then the best. */
    private boolean accept(Best best, Attempt smaller) {
        if (isOver()) {
            return false;
        }
        Optional<Failed> failed = run(smaller);
        boolean same = failed.isPresent() && failed.get().symptom().equals(best.failed.symptom());
        if (same) {
            best.attempt = smaller;
            best.failed = failed.get();
            progress.accept(shrunk(best, false));
        }
        return same;
    }

    /** Removes halves, then quarters, and in the end single faults, until every one is needed. */
    private void takeOut(Best best) {
        int parts = 2;
        while (!isOver() && !best.parts().isEmpty()) {
            List<FaultPiece> parted = best.parts();
            int size = Math.ceilDiv(parted.size(), parts);
            boolean smaller = false;
            for (int from = 0; from < parted.size() && !smaller; from += size) {
                List<FaultPiece> rest = new ArrayList<>(parted);
                rest.subList(from, Math.min(from + size, parted.size())).clear();
                smaller = accept(best, FaultPiece.in(best.attempt, rest));
            }
            if (smaller) {
                parts = Math.max(2, parts - 1);
            } else if (size == 1) {
                return;
            } else {
                parts = Math.min(parted.size(), 2 * parts);
            }
        }
    }

    /** Tries the schedule without choices; otherwise finds one with as few departures as possible. */
    private void straighten(Best best) {
        if (best.attempt.schedule().isPresent()
                || accept(best, best.attempt.with(RecordedSchedule.IN_ORDER))
                || !accept(best, best.attempt.with(best.failed.schedule()))) {
            return;
        }
        int size = best.failed.schedule().choices().length;
        while (size > 0 && !isOver()) {
            straighten(best, size);
            size /= 2;
        }
    }

    /** Puts blocks of the given number of choices in order, one block after the other, as long as the run still fails. */
    private void straighten(Best best, int size) {
        RecordedSchedule schedule = best.attempt.schedule().orElseThrow();
        for (int from = 0; from < schedule.choices().length && !isOver(); from += size) {
            int[] choices = schedule.choices();
            int[] straight = choices.clone();
            Arrays.fill(straight, from, Math.min(from + size, straight.length), 0);
            if (!Arrays.equals(straight, choices) && accept(best, best.attempt.with(RecordedSchedule.of(straight)))) {
                schedule = best.attempt.schedule().orElseThrow();
            }
        }
    }

    /** Halves delays while the run still fails, and simplifies forged packets. */
    private void shorten(Best best) {
        for (int i = 0; i < best.parts().size(); i++) {
            while (!isOver() && isShortened(best, i)) {
                // until nothing shorter fails
            }
        }
    }

    private boolean isShortened(Best best, int i) {
        FaultPiece part = best.parts().get(i);
        List<Fault> shorter = part.keep() ? List.of() : shorter(part.fault());
        for (Fault fault : shorter) {
            List<FaultPiece> changed = new ArrayList<>(best.parts());
            changed.set(i, part.with(fault));
            if (accept(best, FaultPiece.in(best.attempt, changed))) {
                return true;
            }
        }
        return false;
    }

    private static List<Fault> shorter(Fault fault) {
        if (!(fault instanceof Fault.OnPackets packets)) {
            return List.of();
        }
        List<PacketAction> shorter = switch (packets.action()) {
            case PacketAction.Delay delay
            when delay.max().toNanos() > 1 -> {
                Duration by = delay.max().dividedBy(2);
                yield List.of(new PacketAction.Delay(by, by));
            }
            case PacketAction.Duplicate twice
            when !twice.after().isZero() ->
                List.of(new PacketAction.Duplicate(twice.after().dividedBy(2)));
            case PacketAction.Reorder late
            when late.behind() > 1 -> List.of(new PacketAction.Reorder(late.behind() / 2, late.atMost()));
            case PacketAction.Forge forge ->
                forge.forgery().simpler().stream()
                        .<PacketAction>map(PacketAction.Forge::new)
                        .toList();
            case PacketAction other -> List.of();
        };
        return shorter.stream()
                .<Fault>map(
                        action -> new Fault.OnPackets(packets.match(), packets.trigger(), packets.moments(), action))
                .toList();
    }

    /**
     * Reruns the shrunk run.
     *
     * @param look receives the world after the failure; its result is returned
     * @return empty if the run does not fail the same way
     */
    public <T> Optional<T> again(Shrunk shrunk, Function<World, T> look) {
        List<T> seen = new ArrayList<>();
        return run(shrunk.attempt(), world -> seen.add(look.apply(world)))
                .filter(failed -> failed.symptom().equals(shrunk.symptom()))
                .flatMap(failed -> seen.stream().findFirst());
    }

    private Optional<Failed> run(Attempt attempt) {
        return run(attempt, world -> {});
    }

    private Optional<Failed> run(Attempt attempt, Consumer<World> look) {
        runs++;
        World world = attempt.world(worlds);
        int prepared = 0;
        int given = 0;
        try {
            Runnable body = program.prepare(world);
            prepared = world.faults().plan().faults().size();
            given = prepared + attempt.plan().faults().size();
            world.faults().arm(attempt.plan());
            world.faults().replace(attempt.own().toArray(FaultOverride[]::new));
            body.run();
            world.close();
            return Optional.empty();
        } catch (Exception | Error failure) { // A test method may throw anything.
            RecordedSchedule schedule = world.recordedSchedule();
            look.accept(world);
            close(world);
            String story = String.valueOf(failure.getMessage());
            return Optional.of(new Failed(Symptom.of(failure), story, schedule, world.faults(), prepared, given));
        }
    }

    /** Closes the world of a failed run. Errors are ignored: the failure explains them. */
    private static void close(World world) {
        try {
            world.close();
        } catch (RuntimeException | AssertionError thrown) {
            // The world of a failed run need not end in order.
        }
    }
}
