// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.mutation;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Tests of this project plant bugs here. Keep the name when you rename or move the member; delete its bugs when you delete it. The
 * mark stands in class files, and does nothing at run time.
 */
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.METHOD, ElementType.FIELD})
public @interface MutationPoint {
    /** Name of one method or field; classes that are alike may share one for a field. */
    String value();
}
