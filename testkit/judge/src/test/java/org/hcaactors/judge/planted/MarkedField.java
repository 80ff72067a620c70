// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Advice parameter bound to the field of the patched object with that {@code MutationPoint}, whatever the field's name. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface MarkedField {
    /** Returns the name of the mark. */
    String value();

    /** If false, advice may set the field. */
    boolean readOnly() default true;
}
