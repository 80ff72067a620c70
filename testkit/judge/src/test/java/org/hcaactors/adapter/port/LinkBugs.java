// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.port;

import net.bytebuddy.asm.Advice;
import org.hcaactors.api.address.PathMtu;

/** Advice for planted bugs of a port. */
public final class LinkBugs {
    private LinkBugs() {}

    /** Returns the adapter's maximum, whatever its link supports. */
    public static final class TheMost {
        @Advice.OnMethodExit
        static void exit(@Advice.Argument(1) PathMtu max, @Advice.Return(readOnly = false) PathMtu answer) {
            answer = max;
        }
    }
}
