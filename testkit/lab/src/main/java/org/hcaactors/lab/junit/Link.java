// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The link from an adapter's port to the fabric, in {@link RdmaTest#links}. */
@Target({})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Link {
    /** The name of the adapter; empty for every adapter without a link of its own. */
    String adapter() default "";

    /** Nanoseconds from the last bit sent to delivery; from 0 to a year. */
    long latencyNanos() default 1_000;

    /** Bandwidth; 0 for no limit. */
    long bitsPerSecond() default 100_000_000_000L;
}
