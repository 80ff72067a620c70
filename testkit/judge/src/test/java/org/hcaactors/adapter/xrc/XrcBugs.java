// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.xrc;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import org.hcaactors.adapter.work.LocalMemory;
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
        static XrcReceives.@Nullable NamedSrq enter(@MarkedField("xrc-receives.named") XrcReceives.NamedSrq named) {
            return named;
        }

        @Advice.OnMethodExit
        static void exit(
                @Advice.Enter XrcReceives.@Nullable NamedSrq before,
                @MarkedField(value = "xrc-receives.named", readOnly = false) XrcReceives.NamedSrq named) {
            named = before == null ? named : before;
        }
    }

    /** Looks keys up in the domain of the queue that was not named for longest. */
    public static final class HasTheMemoryOfTheOldest {
        @Advice.OnMethodExit
        static void exit(
                @MarkedField("xrc-receives.srqs") Map<Integer, XrcReceives.NamedSrq> srqs,
                @Advice.Return(readOnly = false) LocalMemory memory) {
            memory = srqs.values().iterator().next().receives.memory();
        }
    }

    /** Messages complete where those complete that are for the queue which was not named for longest. */
    public static final class CompletesWithTheOldest {
        @Advice.OnMethodEnter
        static void enter(
                @MarkedField("xrc-receives.srqs") Map<Integer, XrcReceives.NamedSrq> srqs,
                @MarkedField(value = "xrc-receives.message-queue", readOnly = false)
                        XrcReceives.@Nullable NamedSrq messageQueue) {
            messageQueue =
                    messageQueue == null ? null : srqs.values().iterator().next();
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
