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
 * A test in a world of its own, once for each seed. Parameters may be a {@code World}, {@code RdmaNetwork}, {@code Faults},
 * {@code TraceRecorder}, any {@code @Named("a") Adapter}, and a {@code ConnectedPair}; methods of {@code @BeforeEach} and
 * {@code @AfterEach} may take the same.
 *
 * <p>When the method returns, faults stop and the world goes on until it is quiet: a broken invariant then fails the test,
 * too. {@code -Drdma.seed=118} runs that seed alone, {@code -Drdma.seeds=1000} that many.
 */
@SuppressWarnings("exports") // Who tests with JUnit requires it.
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@TestTemplate
@ExtendWith(RdmaExtension.class)
public @interface RdmaTest {
    /** How many seeds. Each gives another order of events. */
    int seeds() default 1;

    /** The first of them. */
    long seed() default 0;

    /** Faults that each seed draws besides those that the test arms; armed when the test method begins. */
    Swarm swarm() default Swarm.OFF;

    /**
     * Whether the test may pass although a fault that it armed, or the whole swarm, struck in none of its runs. If not, it fails then,
     * and says which; a seed that is run alone by {@code -Drdma.seed} does not.
     */
    boolean allowUnstruckFaults() default false;

    /** Mistakes that the program may make: each other one fails the test, see {@link ProgramCheck}. */
    ProgramCheck[] allow() default {};

    /**
     * The longest pause between two steps of the program, in virtual nanoseconds, see {@link Pace}: each seed draws its own. With 0
     * its steps take no time, and neither do registrations, windows and wake-ups.
     */
    long longestPauseNanos() default 10_000;

    /** Who looks at its worlds: by default what the program does is judged, and that adapters keep their protocol is taken for granted. */
    Watch watch() default Watch.PROGRAM;

    /** Checkers of the test's own, made anew for each run: static classes with a constructor without parameters. */
    Class<? extends Invariant>[] invariants() default {};

    /**
     * The cables of the adapters that the test names, which are of 1 us and 100 Gbit/s if it does not say: {@code @Link(latencyNanos =
     * 5_000)} for all, {@code @Link(adapter = "b", bitsPerSecond = 10_000_000_000L)} for one.
     */
    Link[] links() default {};

    /**
     * The model of the adapters that the test names, by the name of a profile ({@code Soft-RoCE}), where {@link Named#profile} does not
     * say another; a ConnectX-5 if it does not say.
     */
    String profile() default "";

    /**
     * The order of a recorded run, as its {@code schedule.txt} has it, or {@code "file:"} and the name of such a file, instead of one that
     * the seed draws; {@code "schedule-1:"} is the order in which tasks become ready.
     */
    String schedule() default "";
}
