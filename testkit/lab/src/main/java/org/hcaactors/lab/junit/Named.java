// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the adapter in the test's world; it is plugged in at its first use. */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Named {
    String value();

    /**
     * The name of a profile, as {@link org.hcaactors.api.device.Profile#find} takes it: {@code ConnectX-4}, {@code Soft-RoCE};
     * by default the {@linkplain RdmaTest#profile test's}.
     */
    String profile() default "";
}
