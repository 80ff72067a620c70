package org.hcaactors.lab.shrink;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.hcaactors.lab.fault.Fault;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.fault.PacketAction;
import org.hcaactors.lab.world.RecordedSchedule;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldStalledException;

/**
 * Reduces a failing run until no smaller one fails the same way. It begins with what struck, without chance, takes faults
 * out by delta debugging (Zeller and Hildebrandt 2002), puts the schedule in order as far as it still fails, and makes delays
 * shorter.
 */
public final class Shrinker {
    /** Runs that are tried at most. */
    public static final int MOST_RUNS = 2000;

    private final Consumer<World> program;
    private final BooleanSupplier stop;
    private final Consumer<Shrunk> progress;
    private int runs;

    /**
     * @param program makes its adapters in the world it gets, and runs; it fails by throwing
     * @param stop asked before each run: true ends the search with the best so far
     * @param progress told whenever something smaller is found
     */
    public Shrinker(Consumer<World> program, BooleanSupplier stop, Consumer<Shrunk> progress) {
        this.program = program;
        this.stop = stop;
        this.progress = progress;
    }

    public static Shrinker of(Consumer<World> program) {
        return new Shrinker(program, () -> false, shrunk -> {});
    }

    /** A run that failed, and what struck in it. */
    private record Failed(Symptom symptom, String story, FaultPlan fired, RecordedSchedule schedule) {}

    /** The best so far. */
    private static final class Best {
        Attempt attempt;
        Failed failed;

        Best(Attempt attempt, Failed failed) {
            this.attempt = attempt;
            this.failed = failed;
        }
    }

    /** Empty if the run with that seed and that plan does not fail. */
    public Optional<Shrunk> shrink(long seed, FaultPlan plan) {
        Attempt first = new Attempt(seed, Optional.empty(), plan);
        Optional<Failed> failed = run(first);
        if (failed.isEmpty()) {
            return Optional.empty();
        }
        Best best = new Best(first, failed.get());
        int before = failed.get().fired.faults().size();
        // What struck, without chance; a run whose faults drew nothing is as it is.
        accept(best, first.with(failed.get().fired), before);
        accept(best, best.attempt.with(FaultPlan.NONE), before);
        accept(best, best.attempt.with(RecordedSchedule.IN_ORDER), before);
        takeOut(best, before);
        straighten(best, before);
        shorten(best, before);
        return Optional.of(shrunk(best, before, !isOver()));
    }

    private boolean isOver() {
        return runs >= MOST_RUNS || stop.getAsBoolean();
    }

    private Shrunk shrunk(Best best, int before, boolean complete) {
        return new Shrunk(best.attempt, best.failed.symptom, best.failed.story, before, runs, complete);
    }

    /** Tries it; true, and it is the best now, if it fails the same way. */
    private boolean accept(Best best, Attempt smaller, int before) {
        if (isOver()) {
            return false;
        }
        Optional<Failed> failed = run(smaller);
        boolean same = failed.isPresent() && failed.get().symptom.equals(best.failed.symptom);
        if (same) {
            best.attempt = smaller;
            best.failed = failed.get();
            progress.accept(shrunk(best, before, false));
        }
        return same;
    }

    /** Leaves out halves, quarters, and in the end single faults, until none can be missed. */
    private void takeOut(Best best, int before) {
        int parts = 2;
        while (!isOver() && !best.attempt.plan().faults().isEmpty()) {
            List<Fault> faults = best.attempt.plan().faults();
            int size = Math.ceilDiv(faults.size(), parts);
            boolean smaller = false;
            for (int from = 0; from < faults.size() && !smaller; from += size) {
                List<Fault> rest = new ArrayList<>(faults);
                rest.subList(from, Math.min(from + size, faults.size())).clear();
                smaller = accept(best, best.attempt.with(new FaultPlan(rest)), before);
            }
            if (smaller) {
                parts = Math.max(2, parts - 1);
            } else if (size == 1) {
                return;
            } else {
                parts = Math.min(faults.size(), 2 * parts);
            }
        }
    }

    /** The schedule of no choices, or else as few departures from it as still fail. */
    private void straighten(Best best, int before) {
        if (best.attempt.schedule().isPresent()
                || accept(best, best.attempt.with(RecordedSchedule.IN_ORDER), before)
                || !accept(best, best.attempt.with(best.failed.schedule), before)) {
            return;
        }
        int size = best.failed.schedule.choices().length;
        while (size > 0 && !isOver()) {
            straighten(best, size, before);
            size /= 2;
        }
    }

    /** Puts blocks of so many choices in order, one block after the other, where the run still fails. */
    private void straighten(Best best, int size, int before) {
        RecordedSchedule schedule = best.attempt.schedule().orElseThrow();
        for (int from = 0; from < schedule.choices().length && !isOver(); from += size) {
            int[] choices = schedule.choices();
            int[] straight = choices.clone();
            Arrays.fill(straight, from, Math.min(from + size, straight.length), 0);
            if (!Arrays.equals(straight, choices)
                    && accept(best, best.attempt.with(RecordedSchedule.of(straight)), before)) {
                schedule = best.attempt.schedule().orElseThrow();
            }
        }
    }

    /** Delays become as short as still fails, to a factor of two. */
    private void shorten(Best best, int before) {
        for (int i = 0; i < best.attempt.plan().faults().size(); i++) {
            boolean shorter = true;
            while (shorter && !isOver()) {
                Optional<Fault> half = halved(best.attempt.plan().faults().get(i));
                if (half.isEmpty()) {
                    break;
                }
                List<Fault> changed = new ArrayList<>(best.attempt.plan().faults());
                changed.set(i, half.get());
                shorter = accept(best, best.attempt.with(new FaultPlan(changed)), before);
            }
        }
    }

    private static Optional<Fault> halved(Fault fault) {
        if (!(fault instanceof Fault.OnPackets packets)) {
            return Optional.empty();
        }
        Optional<PacketAction> half = switch (packets.action()) {
            case PacketAction.Delay delay
            when delay.most().toNanos() > 1 -> {
                Duration by = delay.most().dividedBy(2);
                yield Optional.of(new PacketAction.Delay(by, by));
            }
            case PacketAction.Duplicate twice
            when !twice.after().isZero() ->
                Optional.of(new PacketAction.Duplicate(twice.after().dividedBy(2)));
            case PacketAction.Reorder late
            when late.behind() > 1 -> Optional.of(new PacketAction.Reorder(late.behind() / 2, late.atMost()));
            case PacketAction other -> Optional.empty();
        };
        return half.map(action -> new Fault.OnPackets(packets.match(), packets.occasion(), packets.moments(), action));
    }

    private Optional<Failed> run(Attempt attempt) {
        runs++;
        World world = attempt.world();
        try {
            world.faults().arm(attempt.plan());
            program.accept(world);
            world.close();
            return Optional.empty();
        } catch (RuntimeException | AssertionError failure) {
            RecordedSchedule schedule = world.recordedSchedule();
            close(world);
            String story = String.valueOf(failure.getMessage());
            return Optional.of(
                    new Failed(Symptom.of(failure), story, world.faults().fired(), schedule));
        }
    }

    /** What closing finds in a run that failed is told by the failure itself. */
    private static void close(World world) {
        try {
            world.close();
        } catch (WorldStalledException | AssertionError told) {
            // A broken world need not end in order.
        }
    }
}
