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
 * One world for all tests of a class, created at its first use ({@code @BeforeAll} methods may use it) and closed after the
 * last test. Tests take turns, even if JUnit runs them in parallel.
 */
@SuppressWarnings("exports") // A user of this annotation requires JUnit already.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@ExtendWith(RdmaExtension.class)
public @interface SharedWorld {
    long seed() default 0;

    /** Extent to which the world is observed. */
    Watch watch() default Watch.PROGRAM;

    /** Invariants of the class, as in {@link RdmaTest#invariants}. */
    Class<? extends Invariant>[] invariants() default {};

    /** Links, as in {@link RdmaTest#links}. */
    Link[] links() default {};

    /** Profile, as in {@link RdmaTest#profile}. */
    String profile() default "";

    /** True if the tests may pass although a fault that they armed struck nothing. Otherwise they fail and name the fault. */
    boolean allowUnstruckFaults() default false;

    /** Permitted mistakes, as in {@link RdmaTest#allow}. */
    ProgramCheck[] allow() default {};
}
