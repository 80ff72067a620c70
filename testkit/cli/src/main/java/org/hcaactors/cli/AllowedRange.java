// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The numbers that an option takes, both ends included; {@link Ranges} holds it. Each option that is a number has it. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
@interface AllowedRange {
    long min() default Long.MIN_VALUE;

    long max() default Long.MAX_VALUE;
}
