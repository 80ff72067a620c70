// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The cable from an adapter's port into the fabric, where {@link RdmaTest#links} has it. */
@Target({})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Link {
    /** The name of the adapter; empty for all that have no link of their own. */
    String adapter() default "";

    /** From the last bit sent to delivery, in nanoseconds; from 0 to a year. */
    long latencyNanos() default 1_000;

    /** 0: as fast as asked. */
    long bitsPerSecond() default 100_000_000_000L;
}
