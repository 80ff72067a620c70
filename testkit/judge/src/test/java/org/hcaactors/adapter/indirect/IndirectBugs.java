// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.indirect;

import net.bytebuddy.asm.Advice;
import org.hcaactors.judge.planted.MarkedField;

/** What is wrong in planted bugs of indirect keys. */
public final class IndirectBugs {
    private IndirectBugs() {}

    /** For the end of a slice: that of all of them. */
    public static final class GoesOn {
        private GoesOn() {}

        @Advice.OnMethodExit
        static void end(@Advice.Return(readOnly = false) long end, @MarkedField("translated.cycle-bytes") long last) {
            end = last;
        }
    }
}
