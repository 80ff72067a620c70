// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Range of a numeric option, both ends included; {@link Ranges} checks it. Every numeric option has one. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
@interface AllowedRange {
    long min() default Long.MIN_VALUE;

    long max() default Long.MAX_VALUE;
}
