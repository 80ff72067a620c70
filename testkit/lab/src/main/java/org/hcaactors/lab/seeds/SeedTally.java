// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.lab.fault.FaultKind;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.World;

/** Counts what happened in the runs of one test method, over all of its seeds. Threads: any. */
public final class SeedTally {
    /** How a run ended, in the words of the summary. */
    public enum End {
        AT_REST("at rest"),
        BUSY("not at rest"),
        FAILED("failed"),
        ABORTED("given up"),
        SKIPPED("skipped"),
        WORLDLESS("without a world");

        private final String words;

        End(String words) {
            this.words = words;
        }
    }

    private final int seeds;
    private final Swarm swarm;
    private final Map<End, Integer> ends = new EnumMap<>(End.class);
    private final Map<FaultKind, Long> struck = new EnumMap<>(FaultKind.class);
    private final OwnFaults own = new OwnFaults();
    private int failures;
    private long packets;
    private int adapters;

    /**
     * @param seeds to be run
     * @param swarm of which each run has its faults
     */
    public SeedTally(int seeds, Swarm swarm) {
        this.seeds = seeds;
        this.swarm = swarm;
    }

    /** Runs that have failed so far, those included that still tell how. */
    public synchronized int failures() {
        return failures;
    }

    /** A run fails; says which of those that do it is, from 1. */
    synchronized int failing() {
        return ++failures;
    }

    private int count(End end) {
        return ends.getOrDefault(end, 0);
    }

    private int ran() {
        return ends.values().stream().mapToInt(Integer::intValue).sum() - count(End.SKIPPED);
    }

    /** A seed for which no world was made. */
    public synchronized void ended(End end) {
        ends.merge(end, 1, Integer::sum);
    }

    /**
     * Takes a run that has ended.
     *
     * @param before what was seen in its world before, and counts no more
     * @param prepared faults that were armed before the swarm's
     * @param swarms the swarm's
     */
    synchronized void ran(World world, RunProgress before, int prepared, int swarms, End end) {
        ended(end);
        RunProgress now = RunProgress.of(world);
        packets += now.packets() - before.packets();
        now.struck()
                .forEach((kind, times) ->
                        struck.merge(kind, times - before.struck().getOrDefault(kind, 0L), Long::sum));
        struck.values().removeIf(times -> times == 0);
        adapters = Math.max(adapters, world.network().adapters().size());
        if (end == End.AT_REST || end == End.BUSY) {
            own.armed(world.faults(), before.faults(), prepared, prepared + swarms);
        }
    }

    /** A run that had ended well failed when its world was closed. */
    public synchronized void failedAtItsEnd() {
        for (End before : List.of(End.AT_REST, End.BUSY)) {
            if (count(before) > 0) {
                ends.merge(before, -1, Integer::sum);
                ends.merge(End.FAILED, 1, Integer::sum);
                return;
            }
        }
    }

    /** There is more to say than that a world came to rest. */
    public synchronized boolean isOfFaults() {
        return seeds > 1 || swarm != Swarm.OFF || !own.isEmpty();
    }

    /** {@code 200 seeds, 41,306 packets, 512 faults struck (drop 500, unplug 12), all worlds at rest}. */
    synchronized String summary() {
        long all = struck.values().stream().mapToLong(Long::longValue).sum();
        String seen = ran() == seeds ? "" : String.format(Locale.ROOT, "%,d of ", ran());
        return seen + counted(seeds, "seed") + ", " + counted(packets, "packet") + ", " + counted(all, "fault")
                + " struck" + (all == 0 ? "" : " (" + FaultKind.words(struck) + ")") + ", " + endings();
    }

    private static String counted(long count, String what) {
        return String.format(Locale.ROOT, "%,d %s%s", count, what, count == 1 ? "" : "s");
    }

    private String endings() {
        List<String> words = new ArrayList<>();
        for (End end : End.values()) {
            if (count(end) > 0) {
                words.add(String.format(Locale.ROOT, "%,d %s", count(end), end.words));
            }
        }
        return count(End.AT_REST) == seeds ? "all worlds at rest" : String.join(", ", words);
    }

    /**
     * Why the green runs prove nothing of faults: those that were asked for struck nothing. Empty where they did, where none were asked
     * for, and where not every run came to its end, which says enough.
     */
    synchronized Optional<String> vain() {
        int ended = count(End.AT_REST) + count(End.BUSY) + count(End.WORLDLESS);
        if (ended == 0 || ended + count(End.ABORTED) < seeds) {
            return Optional.empty();
        }
        if (swarm != Swarm.OFF && struck.isEmpty()) {
            return Optional.of("no fault of Swarm." + swarm + " struck in " + runs(ended) + ": " + whyNothing());
        }
        List<String> never = own.unstruck();
        return never.isEmpty()
                ? Optional.empty()
                : Optional.of("armed, and never struck in " + runs(ended) + ": " + String.join("; ", never));
    }

    private String whyNothing() {
        if (count(End.WORLDLESS) > 0) {
            return "the test takes no World, and what is in another is not struck";
        } else if (adapters == 0) {
            return "there was no adapter to strike";
        }
        return counted(packets, "packet") + " in all; more seeds, more traffic or more time give it more to strike";
    }

    private static String runs(int seeds) {
        return seeds == 1 ? "its one run" : seeds + " runs";
    }
}
