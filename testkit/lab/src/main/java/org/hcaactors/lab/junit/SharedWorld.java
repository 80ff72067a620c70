// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.program.ProgramCheck;
import org.hcaactors.lab.world.Watch;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * One world for all tests of a class, made when the first asks for it ({@code @BeforeAll} methods may) and closed after the
 * last. Its tests take turns, also where JUnit runs tests at the same time.
 */
@SuppressWarnings("exports") // Who tests with JUnit requires it.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@ExtendWith(RdmaExtension.class)
public @interface SharedWorld {
    long seed() default 0;

    /** Who looks at it. */
    Watch watch() default Watch.PROGRAM;

    /** Checkers of its own, as {@link RdmaTest#invariants} has them. */
    Class<? extends Invariant>[] invariants() default {};

    /** As {@link RdmaTest#links} has them. */
    Link[] links() default {};

    /** As {@link RdmaTest#profile} has it. */
    String profile() default "";

    /** Whether its tests may pass although a fault that they armed struck nothing. If not, they fail then, and say which. */
    boolean allowUnstruckFaults() default false;

    /** As {@link RdmaTest#allow} has it. */
    ProgramCheck[] allow() default {};
}
