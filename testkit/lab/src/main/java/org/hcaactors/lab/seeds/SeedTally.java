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

/** Counts over all seeds of one test method. Threads: any. */
public final class SeedTally {
    /** End of a run, as the summary names it. */
    public enum End {
        AT_REST("at rest"),
        BUSY("not at rest"),
        FAILED("failed"),
        ABORTED("aborted"),
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
    private Optional<SeedEnd> newest = Optional.empty();

    /**
     * @param seeds number of seeds to run
     * @param swarm faults of each run
     */
    public SeedTally(int seeds, Swarm swarm) {
        this.seeds = seeds;
        this.swarm = swarm;
    }

    /** Returns the number of failed runs so far, including those that still write their reports. */
    public synchronized int failures() {
        return failures;
    }

    /** Counts a failed run and returns its number, from 1. */
    synchronized int failing() {
        return ++failures;
    }

    private int count(End end) {
        return ends.getOrDefault(end, 0);
    }

    private int ran() {
        return ends.values().stream().mapToInt(Integer::intValue).sum() - count(End.SKIPPED);
    }

    /** Counts a seed without a world. */
    public void ended(End end) {
        add(SeedEnd.worldless(end));
    }

    /** Counts a failed seed that left no world here. */
    public synchronized void lost() {
        failures++;
        ended(End.FAILED);
    }

    /** Adds a run that has ended, here or in another JVM. */
    public synchronized void add(SeedEnd ended) {
        ends.merge(ended.end(), 1, Integer::sum);
        packets += ended.packets();
        ended.struck().forEach((kind, times) -> struck.merge(kind, times, Long::sum));
        adapters = Math.max(adapters, ended.adapters());
        own.add(ended.own());
        newest = Optional.of(ended);
    }

    /** Returns the newest run that has ended. */
    public synchronized Optional<SeedEnd> newest() {
        return newest;
    }

    /** Counts a successful run as failed, because closing its world failed. */
    public synchronized void failedAtItsEnd() {
        for (End before : List.of(End.AT_REST, End.BUSY)) {
            if (count(before) > 0) {
                ends.merge(before, -1, Integer::sum);
                ends.merge(End.FAILED, 1, Integer::sum);
                return;
            }
        }
    }

    /** True if the summary has more to say than that one world became idle. */
    public synchronized boolean isOfFaults() {
        return seeds > 1 || swarm != Swarm.OFF || !own.isEmpty();
    }

    /** Returns {@code 200 seeds, 41,306 packets, 512 faults injected (drop 500, unplug 12), all worlds at rest}. */
    synchronized String summary() {
        long all = struck.values().stream().mapToLong(Long::longValue).sum();
        String seen = ran() == seeds ? "" : String.format(Locale.ROOT, "%,d of ", ran());
        return seen + counted(seeds, "seed") + ", " + counted(packets, "packet") + ", " + counted(all, "fault")
                + " injected" + (all == 0 ? "" : " (" + FaultKind.words(struck) + ")") + ", " + endings();
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
     * Returns why the successful runs say nothing about faults: those that were requested struck nothing. Empty if they struck,
     * if none were requested, or if not every run ended, which fails already.
     */
    synchronized Optional<String> uninjectedFaults() {
        int ended = count(End.AT_REST) + count(End.BUSY) + count(End.WORLDLESS);
        if (ended == 0 || ended + count(End.ABORTED) < seeds) {
            return Optional.empty();
        }
        if (swarm != Swarm.OFF && struck.isEmpty()) {
            return Optional.of("no fault of Swarm." + swarm + " was injected in " + runs(ended) + ": " + whyNothing());
        }
        List<String> never = own.unstruck();
        return never.isEmpty()
                ? Optional.empty()
                : Optional.of("armed, but never injected in " + runs(ended) + ": " + String.join("; ", never));
    }

    private String whyNothing() {
        if (count(End.WORLDLESS) > 0) {
            return "the test has no World parameter, and faults are injected into that world only";
        } else if (adapters == 0) {
            return "the world had no adapter";
        }
        return counted(packets, "packet") + " in all; use more seeds, more traffic or more time";
    }

    private static String runs(int seeds) {
        return seeds == 1 ? "its one run" : seeds + " runs";
    }
}
