// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.mutation;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a member in which this project's tests plant bugs. Keep the name when you rename or move the member; delete its bugs
 * when you delete it. The annotation is kept in class files and has no effect at run time.
 */
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.METHOD, ElementType.FIELD})
public @interface MutationPoint {
    /** Name of one method or field; similar classes may share the name of a field. */
    String value();
}
