// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.lab.fault.FaultKind.CORRUPT;
import static org.hcaactors.lab.fault.FaultKind.CRASH;
import static org.hcaactors.lab.fault.FaultKind.DELAY;
import static org.hcaactors.lab.fault.FaultKind.DROP;
import static org.hcaactors.lab.fault.FaultKind.DUPLICATE;
import static org.hcaactors.lab.fault.FaultKind.END_WAITER;
import static org.hcaactors.lab.fault.FaultKind.EVICT;
import static org.hcaactors.lab.fault.FaultKind.FORGE;
import static org.hcaactors.lab.fault.FaultKind.FRAGMENT;
import static org.hcaactors.lab.fault.FaultKind.KILL;
import static org.hcaactors.lab.fault.FaultKind.NOTIFY_OFF;
import static org.hcaactors.lab.fault.FaultKind.POWER_CYCLE;
import static org.hcaactors.lab.fault.FaultKind.REORDER;
import static org.hcaactors.lab.fault.FaultKind.STARVE;
import static org.hcaactors.lab.fault.FaultKind.UNPLUG;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.flow.Ladder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The faults that a swarm draws strike any object of a program, whenever it is created and whatever its name is. */
@Tag("nightly")
class DrawnFaultsTest {
    private static final int SEEDS = 100;
    private static final Duration IDLE = Duration.ofMillis(20);

    /** Creates two adapters three times during its run, and lets each pair work for some microseconds. */
    private static void program(World world) {
        for (int round = 0; round < 3; round++) {
            world.runFor(IDLE);
            visit(world, world.adapter("client-" + round), world.adapter("store." + round), "archive-" + round);
        }
        world.runFor(IDLE);
    }

    private static void visit(World world, Adapter client, Adapter store, String name) {
        HostProcess archive = store.process(name);
        archive.allocate(4096).write(0, new byte[4096]);
        world.await(archive.startWaiter());
        ConnectedPair pair = world.connect(client, store);
        for (int i = 0; i < 8; i++) {
            pair.b().qp().postReceive(Receive.of(i, pair.b().slice(0, 64)));
            world.await(pair.a().qp().submit(Send.of(i, pair.a().slice(0, 64))), Duration.ofMinutes(1));
            world.await(
                    pair.a()
                            .qp()
                            .submit(RdmaWrite.of(
                                    i, pair.a().slice(0, 3000), pair.b().remote(0))),
                    Duration.ofMinutes(1));
        }
        archive.exit();
        world.settle();
    }

    /** Faults that struck in the runs of a swarm: counts by kind, and descriptions. */
    private static final class Seen {
        final Map<FaultKind, Long> kinds = new EnumMap<>(FaultKind.class);
        final Set<String> words = new TreeSet<>();
        int failed;

        static Seen of(Swarm swarm) {
            Seen seen = new Seen();
            for (long seed = 0; seed < SEEDS; seed++) {
                seen.run(seed, swarm);
            }
            return seen;
        }

        private void run(long seed, Swarm swarm) {
            World world = World.of(seed);
            try (world) {
                world.faults().arm(swarm.plan(seed));
                program(world);
            } catch (RuntimeException lost) { // a request fails, or the requester is gone
                failed++;
            }
            world.faults().struck().forEach((kind, count) -> kinds.merge(kind, count, Long::sum));
            world.faults().fired().faults().forEach(fault -> words.add(fault.words()));
        }
    }

    @Test
    void aWireSwarmStrikesObjectsCreatedDuringTheRun() {
        Seen seen = Seen.of(Swarm.WIRE);
        assertThat(seen.failed).as("what wires do is survived").isZero();
        assertThat(seen.kinds)
                .containsOnlyKeys(
                        DROP, DELAY, DUPLICATE, REORDER, CORRUPT, UNPLUG, STARVE, EVICT, FRAGMENT, NOTIFY_OFF);
        assertThat(seen.kinds)
                .allSatisfy((kind, count) -> assertThat(count).as("%s", kind).isGreaterThan(2));
        for (String name : List.of("client-0", "client-2", "store.0", "store.2")) {
            assertThat(seen.words).as("links").anyMatch(words -> words.startsWith("unplug " + name));
            assertThat(seen.words).as("hosts").anyMatch(words -> words.startsWith("fragment the memory of " + name));
        }
        assertThat(seen.words)
                .anyMatch(words -> words.matches("no receive for . messages to store.2/qp.*"))
                .as("processes of any name")
                .anyMatch(words -> words.startsWith("evict") && words.contains("store.2/archive-2"))
                .as("one way")
                .anyMatch(words -> words.startsWith("drop the") && words.contains("from some adapters"));
    }

    @Test
    void aDisasterSwarmStrikesObjectsCreatedDuringTheRun() {
        Seen seen = Seen.of(Swarm.DISASTER);
        assertThat(seen.kinds).containsKeys(DROP, UNPLUG, STARVE, EVICT, CRASH, POWER_CYCLE, KILL, END_WAITER);
        assertThat(seen.words)
                .anyMatch(words -> words.startsWith("crash client-0 "))
                .anyMatch(words -> words.startsWith("crash client-0/qp"))
                .anyMatch(words -> words.startsWith("crash client-0/cq"))
                .anyMatch(words -> words.startsWith("crash client-0/key"))
                .anyMatch(words -> words.startsWith("crash store.1"))
                .anyMatch(words -> words.startsWith("power off store.1"))
                .anyMatch(words -> words.startsWith("kill client-1/app"))
                .anyMatch(words -> words.startsWith("kill store.2/archive-2"));
    }

    @Test
    void aHostileSwarmForgesAndInjectsHostFaults() {
        assertThat(Seen.of(Swarm.HOSTILE).kinds).containsKeys(FORGE, DROP, UNPLUG, STARVE, EVICT, FRAGMENT);
    }

    @Test
    void theSwarmOffHasNoFaults() {
        assertThat(Swarm.OFF.plan(7)).isEqualTo(FaultPlan.NONE);
    }

    private static Fault.Drawn always(Fault.Drawn.What what, long lot) {
        return new Fault.Drawn(what, 1, lot);
    }

    @Test
    void aRecreatedProcessIsDrawnAgain() {
        Set<Duration> lives = new TreeSet<>();
        try (World world = World.of(1)) {
            Adapter a = world.adapter("a");
            world.faults().arm(always(Fault.Drawn.What.KILL, 5));
            for (int i = 0; i < 6; i++) {
                a.process("again").allocate(64);
                world.runFor(Duration.ofSeconds(2));
            }
            Duration came = Duration.ZERO;
            for (Fault fault : world.faults().fired().faults()) {
                lives.add(((Fault.Kill) fault).at().minus(came));
                came = came.plusSeconds(2);
            }
        }
        assertThat(lives).as("each lives as long as it drew").hasSizeGreaterThan(3);
    }

    @Test
    void aDrawnFaultStrikesAnAdapterAtMostFourTimes() {
        try (World world = World.of(1)) {
            world.faults().arm(always(Fault.Drawn.What.FRAGMENT, 5));
            for (int i = 0; i < 4; i++) {
                visit(world, world.adapter("a"), world.adapter("b"), "p" + i);
                world.runFor(Duration.ofSeconds(1));
            }
            assertThat(world.faults().struck().get(FRAGMENT)).isBetween(2L, 8L);
        }
    }

    @Test
    void anotherAdapterDoesNotChangeTheFaultsOfTheOthers() {
        List<List<Fault>> ofB = new ArrayList<>();
        for (boolean another : List.of(false, true)) {
            try (World world = World.of(3)) {
                world.faults().arm(always(Fault.Drawn.What.FRAGMENT, 9));
                if (another) {
                    world.adapter("a");
                }
                world.adapter("b");
                world.runFor(Duration.ofSeconds(2));
                ofB.add(world.faults().fired().faults().stream()
                        .filter(fault -> fault.words().contains(" b "))
                        .toList());
            }
        }
        assertThat(ofB.getFirst()).isNotEmpty().isEqualTo(ofB.getLast());
    }

    @Test
    void stoppedFaultsDoNotStrikeLaterAdapters() {
        try (World world = World.of(1)) {
            world.faults().arm(always(Fault.Drawn.What.FRAGMENT, 5));
            world.adapter("a");
            world.faults().stop();
            visit(world, world.adapter("b"), world.adapter("c"), "p");
            world.runFor(Duration.ofSeconds(2));
            assertThat(world.faults().fired()).isEqualTo(FaultPlan.NONE);
            world.faults().arm(always(Fault.Drawn.What.FRAGMENT, 6));
            world.runFor(Duration.ofSeconds(2));
            assertThat(world.faults().struck()).as("the existing adapters").containsKey(FRAGMENT);
        }
    }

    @Test
    void aDrawnFaultWithoutTargetsIsUnstruck() {
        try (World world = World.of(1)) {
            for (Fault.Drawn.What what : Fault.Drawn.What.values()) {
                world.faults().arm(always(what, 3));
            }
            world.runFor(Duration.ofSeconds(2));
            assertThat(world.faults().firings()).isEmpty();
            assertThat(world.faults().unstruck()).hasSize(Fault.Drawn.What.values().length);
        }
    }

    /** Arms the plan, runs, and returns what happened. */
    private static List<String> ladder(long seed, FaultPlan plan, List<Fault> fired) {
        World world = World.of(seed);
        try (world) {
            world.faults().arm(plan);
            program(world);
        } catch (RuntimeException lost) {
            // and repeats it
        }
        fired.addAll(world.faults().fired().faults());
        return Ladder.of(world.trace().events()).stream()
                .filter(line -> !line.contains("! ") && !line.contains("dropped by") && !line.contains(" by \""))
                .toList();
    }

    @Test
    void theFiredFaultsAreAPlanThatRepeatsTheRun() {
        for (long seed = 0; seed < 25; seed++) {
            List<Fault> fired = new ArrayList<>();
            List<Fault> again = new ArrayList<>();
            List<String> first = ladder(seed, Swarm.DISASTER.plan(seed), fired);
            FaultPlan exactly = FaultPlan.parse(new FaultPlan(fired).toHocon());
            assertThat(exactly.faults()).as("data").isEqualTo(fired);
            assertThat(ladder(seed, exactly, again))
                    .as("seed %d: %s", seed, exactly)
                    .isEqualTo(first);
            assertThat(again).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(fired);
        }
    }

    @Test
    void aSwarmsPlanIsReadAsItWasWrittenAndRunsTheSame() {
        for (long seed = 0; seed < 60; seed++) {
            for (Swarm swarm : Swarm.values()) {
                FaultPlan plan = swarm.plan(seed);
                assertThat(FaultPlan.parse(plan.toHocon())).isEqualTo(plan);
                assertThat(plan.faults())
                        .allSatisfy(fault -> assertThat(fault.words()).doesNotContain("["));
            }
        }
        FaultPlan plan = Swarm.DISASTER.plan(4);
        List<Fault> fired = new ArrayList<>();
        List<Fault> again = new ArrayList<>();
        assertThat(ladder(4, FaultPlan.parse(plan.toHocon()), again)).isEqualTo(ladder(4, plan, fired));
        assertThat(again).isEqualTo(fired);
    }

    @Test
    void drawnKindsAreNamedAsInPlans() {
        Set<FaultKind> drawn = EnumSet.noneOf(FaultKind.class);
        for (Fault.Drawn.What what : Fault.Drawn.What.values()) {
            Fault.Drawn fault = new Fault.Drawn(what, 0.25, 77);
            assertThat(FaultPlan.parse(FaultPlan.of(fault).toHocon())).isEqualTo(FaultPlan.of(fault));
            drawn.add(fault.kind());
        }
        assertThat(drawn).as("each is of a kind of its own").hasSize(Fault.Drawn.What.values().length);
        assertThatThrownBy(() -> FaultPlan.parse("faults = [ { drawn { what = KILL, probability = 2, lot = 1 } } ]"))
                .hasMessage("line 1: faults[0].drawn: the probability is 2.0; 0 to 1 is allowed");
    }
}
