// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.xrc;

import net.bytebuddy.asm.Advice;
import org.hcaactors.adapter.work.SrqReceives;
import org.hcaactors.api.queue.XrcDomainDescription;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.judge.planted.MarkedField;
import org.jspecify.annotations.Nullable;

/** Advice for planted bugs of this package. */
public final class XrcBugs {
    private XrcBugs() {}

    /** Keeps the queue named first, whatever a later request names. */
    public static final class KeepsWhatWasNamedFirst {
        @Advice.OnMethodEnter
        static @Nullable SrqReceives enter(@MarkedField("xrc-receives.named") SrqReceives named) {
            return named;
        }

        @Advice.OnMethodExit
        static void exit(
                @Advice.Enter @Nullable SrqReceives before,
                @MarkedField(value = "xrc-receives.named", readOnly = false) SrqReceives named) {
            named = before == null ? named : before;
        }
    }

    /** Treats each packet as the first of a message. */
    public static final class Begins {
        public static boolean begins(Operation operation) {
            return true;
        }
    }

    /** Opens one domain for all files, and for none. */
    public static final class OpensOneForAll {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 0, readOnly = false) XrcDomainDescription requested) {
            requested = XrcDomainDescription.of("/run/all");
        }
    }
}
