// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.program.ProgramCheck;
import org.hcaactors.lab.world.Pace;
import org.hcaactors.lab.world.Watch;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that runs once for each seed, each time in its own world. Parameters may be a {@code World}, {@code RdmaNetwork},
 * {@code Faults}, {@code TraceRecorder}, any {@code @Named("a") Adapter}, and a {@code ConnectedPair}; methods with
 * {@code @BeforeEach} and {@code @AfterEach} may take the same.
 *
 * <p>When the method returns, faults stop and the world runs until it is idle; an invariant that is violated then fails the
 * test, too. {@code -Drdma.seed=118} runs only that seed, {@code -Drdma.seeds=1000} runs 1000 seeds, and
 * {@code -Drdma.nodes=3} lets three other JVMs run them.
 */
@SuppressWarnings("exports") // A user of this annotation requires JUnit already.
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@TestTemplate
@ExtendWith(RdmaExtension.class)
public @interface RdmaTest {
    /** Number of seeds. Each gives another order of events. */
    int seeds() default 1;

    /** The first seed. */
    long seed() default 0;

    /** Faults that each seed draws besides those that the test arms; they start with the test method. */
    Swarm swarm() default Swarm.OFF;

    /**
     * True if the test may pass although a fault that it armed, or the whole swarm, struck in none of its runs. Otherwise the
     * test fails and names the fault; a single seed run by {@code -Drdma.seed} does not.
     */
    boolean allowUnstruckFaults() default false;

    /** Mistakes that the program may make; any other mistake fails the test, see {@link ProgramCheck}. */
    ProgramCheck[] allow() default {};

    /**
     * The longest pause between two steps of the program, in virtual nanoseconds, see {@link Pace}; each seed draws its own.
     * With 0, steps take no time, and neither do registrations, windows and wake-ups.
     */
    long longestPauseNanos() default 10_000;

    /** Extent to which the worlds are observed. By default programs are checked, and the adapter's protocol is not. */
    Watch watch() default Watch.PROGRAM;

    /** The test's own invariants, instantiated for each run: static classes with a constructor without parameters. */
    Class<? extends Invariant>[] invariants() default {};

    /**
     * The links of the adapters that the test names, 1 us and 100 Gbit/s by default: {@code @Link(latencyNanos = 5_000)} for
     * all, {@code @Link(adapter = "b", bitsPerSecond = 10_000_000_000L)} for one.
     */
    Link[] links() default {};

    /**
     * The model of the adapters that the test names without {@link Named#profile}, by the name of a profile
     * ({@code Soft-RoCE}); a ConnectX-5 by default.
     */
    String profile() default "";

    /**
     * A recorded order instead of one that the seed draws: the text of {@code schedule.txt}, or {@code "file:"} and the name of
     * such a file; {@code "schedule-1:"} is the order in which tasks become ready.
     */
    String schedule() default "";
}
