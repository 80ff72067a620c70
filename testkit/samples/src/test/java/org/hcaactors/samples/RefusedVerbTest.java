// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.lab.fault.VerbMatch.verb;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.LeakReport;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.lab.fault.Fault;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.junit.RdmaExtension;
import org.hcaactors.lab.junit.RdmaTest;
import org.hcaactors.lab.shrink.Shrinker;
import org.hcaactors.lab.shrink.Shrunk;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests of what a program does when a verb is refused, which never happens on a developer's hardware. */
@ExtendWith(RdmaExtension.class)
class RefusedVerbTest {
    private HostProcess process;
    private DeviceContext context;
    private ProtectionDomain domain;

    /** Opens one of the two programs. */
    private interface Program {
        CompletionStage<Stock> open(ProtectionDomain domain, HostMemory memory);
    }

    /** Runs before the test's faults, so none of these verbs is refused. */
    @BeforeEach
    void start(World world) {
        begin(world);
    }

    private void begin(World world) {
        process = world.adapter("a").process("store");
        context = process.open();
        domain = context.allocatePd();
    }

    /** Returns the objects that are left after the program has closed everything, or was refused. */
    private List<LeakReport.Leak> left(World world, Program program) {
        try {
            Stock stock = world.await(program.open(domain, process.allocate(4096)));
            world.faults().stop(); // no verb is refused from here on
            world.await(stock.closeAsync());
        } catch (VerbsException refused) {
            // The program may be refused, but then it must leave nothing.
        }
        world.settle();
        return context.openObjects().leaks().stream()
                .filter(leak -> !leak.description().startsWith("protection domain"))
                .toList();
    }

    private void check(World world, Program program) {
        List<LeakReport.Leak> left = left(world, program);
        if (!left.isEmpty()) {
            throw new AssertionError("nobody can close " + left);
        }
    }

    @RdmaTest
    void theThirdStepIsRefused(World world) {
        world.faults().on(verb(Verb.CREATE_QP).of("store")).first().fail(Errno.ENOMEM);
        assertThat(left(world, LeakyStore::open))
                .extracting(LeakReport.Leak::description)
                .hasSize(2);
    }

    @Test
    void aSweepFindsWhatTheLeakyStoreForgets() {
        OptionalLong failing = LongStream.range(0, 300)
                .filter(seed -> shrunk(seed, LeakyStore::open).isPresent())
                .findFirst();
        assertThat(failing).as("a seed whose swarm refuses the right verb").isPresent();

        Shrunk shrunk = shrunk(failing.getAsLong(), LeakyStore::open).orElseThrow();
        System.out.println("seed " + failing.getAsLong() + ": " + shrunk);
        assertThat(shrunk.left().faults()).singleElement().isInstanceOf(Fault.OnVerbs.class);
        assertThat(shrunk.story()).contains("nobody can close");
    }

    private Optional<Shrunk> shrunk(long seed, Program program) {
        Shrinker.Program begun = world -> {
            begin(world);
            return () -> check(world, program);
        };
        return Shrinker.prepared(begun, () -> false, smaller -> {}).shrink(seed, Swarm.RESOURCES.plan(seed));
    }

    @RdmaTest(seeds = 100, swarm = Swarm.RESOURCES)
    void theTidyStoreLeavesNothing(World world) {
        check(world, TidyStore::open);
    }

    /** As in SQLite's tests: refuses the first verb, then the second, until there is no further one to refuse. */
    @Test
    void whicheverVerbIsRefusedTheTidyStoreLeavesNothing() {
        for (int n = 1; isStruck(n); n++) {
            assertThat(n).isLessThan(10);
        }
    }

    private boolean isStruck(int n) {
        try (World world = World.of(n)) {
            begin(world);
            world.faults().on(verb().of("store")).nth(n).fail(Errno.ENOMEM);
            check(world, TidyStore::open);
            return world.faults().unstruck().isEmpty();
        }
    }
}
