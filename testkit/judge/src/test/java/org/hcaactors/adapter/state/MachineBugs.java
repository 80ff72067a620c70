// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import net.bytebuddy.asm.Advice;
import org.hcaactors.adapter.work.MessageBuffer;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.judge.planted.MarkedField;

/** Advice for planted bugs of a queue pair's machine, in its package. */
public final class MachineBugs {
    private MachineBugs() {}

    public static final class TheFirst {
        public static long min(long one, long other) {
            return one;
        }
    }

    public static final class No {
        public static boolean canGoBack(MessageBuffer buffer) {
            return false;
        }
    }

    public static final class Match {
        public static boolean pkeysMatch(int one, int other) {
            return true;
        }
    }

    public static final class MayStart {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 1, readOnly = false) boolean mayStart) {
            mayStart = true;
        }
    }

    /** Keeps the address that its GID table entry had before. */
    public static final class KeepsItsRoute {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter() {
            return true;
        }

        @Advice.OnMethodExit
        static void exit(@MarkedField("headers.route") Route route, @Advice.Return(readOnly = false) Route answer) {
            answer = route;
        }
    }
}
