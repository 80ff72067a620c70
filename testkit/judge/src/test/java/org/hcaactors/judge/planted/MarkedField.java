// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A parameter of advice that is the field of the patched object which carries that {@code MutationPoint}, whatever it is called. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface MarkedField {
    /** The mark's name. */
    String value();

    /** Otherwise advice may set it. */
    boolean readOnly() default true;
}
