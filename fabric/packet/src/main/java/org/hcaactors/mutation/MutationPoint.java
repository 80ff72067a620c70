// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.mutation;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method or a field that tests of this project change, to see that its checks notice: planted bugs find their place by this
 * mark. It goes with what it marks when that is renamed or moved, and keeps its name; who deletes the place deletes its bugs.
 * It stands in class files for those tests, and does nothing at run time.
 */
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.METHOD, ElementType.FIELD})
public @interface MutationPoint {
    /** Name of the place; overloads of a method may share one. */
    String value();
}
