// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.lab.fault.Fault;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.fault.Faults;
import org.hcaactors.lab.fault.Firing;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.World;

/** Counts what happened in the runs of one test method, over all of its seeds. Threads: any. */
final class SeedTally {
    private final int seeds;
    private final Swarm swarm;
    private final Map<String, Long> struck = new TreeMap<>();
    /** Of the faults that the test itself armed, in its order: the words of those that have not struck in any run. */
    private final List<Optional<String>> unstruck = new ArrayList<>();

    private int runs;
    private int failures;
    private long packets;

    /** @param swarm of which each run has its faults */
    SeedTally(int seeds, Swarm swarm) {
        this.seeds = seeds;
        this.swarm = swarm;
    }

    synchronized int failures() {
        return failures;
    }

    /** Says how many have failed, with this one. */
    synchronized int failed() {
        runs++;
        return ++failures;
    }

    /** A run that its test gave up counts for nothing else. */
    synchronized void aborted() {
        runs++;
    }

    /**
     * Takes the run of a world that came to rest.
     *
     * @param prepared faults that were armed before the swarm's
     * @param swarms the swarm's
     */
    synchronized void passed(World world, int prepared, int swarms) {
        runs++;
        packets += world.trace().of(FabricEvent.Sent.class).count();
        Faults faults = world.faults();
        FaultPlan plan = faults.plan();
        for (Firing firing : faults.firings()) {
            struck.merge(kind(plan.faults().get(firing.fault())), 1L, Long::sum);
        }
        int own = 0;
        for (int i = 0; i < plan.faults().size(); i++) {
            if (i < prepared || i >= prepared + swarms) {
                note(own++, plan.faults().get(i), faults.hasStruck(i));
            }
        }
    }

    private void note(int own, Fault fault, boolean hit) {
        if (own == unstruck.size()) {
            unstruck.add(hit ? Optional.empty() : Optional.of(fault.words()));
        } else if (hit) {
            unstruck.set(own, Optional.empty());
        }
    }

    /** All runs are over. */
    synchronized boolean isComplete() {
        return runs == seeds;
    }

    /** {@code 200 seeds, 41,306 packets, 512 faults struck (ack 12, drop 500), all worlds at rest}. */
    synchronized String summary() {
        long all = struck.values().stream().mapToLong(Long::longValue).sum();
        String kinds = struck.entrySet().stream()
                .map(each -> each.getKey() + " " + each.getValue())
                .collect(Collectors.joining(", ", " (", ")"));
        return String.format(
                Locale.ROOT,
                "%,d seeds, %,d packets, %,d faults struck%s, %s",
                seeds,
                packets,
                all,
                all == 0 ? "" : kinds,
                failures == 0 ? "all worlds at rest" : failures + " failed");
    }

    /**
     * Why the green runs prove nothing of faults: those that were asked for struck nothing. Empty where they did, where none were asked
     * for, and where a run failed, which says enough.
     */
    synchronized Optional<String> vain() {
        if (failures > 0) {
            return Optional.empty();
        }
        if (swarm != Swarm.OFF && struck.isEmpty()) {
            return Optional.of("no fault of Swarm." + swarm + " struck in " + runs(seeds) + " with " + packets
                    + " packets: nothing that it may strike was there in time");
        }
        List<String> never = unstruck.stream().flatMap(Optional::stream).toList();
        return never.isEmpty()
                ? Optional.empty()
                : Optional.of("armed, and never struck in " + runs(seeds) + ": " + String.join("; ", never));
    }

    private static String runs(int seeds) {
        return seeds == 1 ? "its one run" : seeds + " runs";
    }

    private static String kind(Fault fault) {
        String words = fault.words();
        return words.substring(0, words.indexOf(' '));
    }
}
