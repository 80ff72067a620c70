// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import net.bytebuddy.asm.Advice;
import org.hcaactors.adapter.completion.CompletionBugs;
import org.hcaactors.adapter.inline.Cargo;
import org.hcaactors.adapter.inline.Landing;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.lab.world.Watch;
import org.jspecify.annotations.Nullable;

/** Bugs of data that goes with completions. */
public enum InlineBug implements Planted {
    COPIES_AT_DELIVERY("completion.CompletionQueueMachine", "completed", CompletionBugs.CopiesAtDelivery.class),
    COPIES_TWICE("completion.Feed$Carrying", "landed", Again.class),
    /** On one side only. */
    FORGETS_THE_REQUESTER("work.SendLedger", "report", Loses.class),
    CALLS_A_COPY_THAT_FAILED_A_SUCCESS("inline.Unloading", "failed", SaysSuccess.class),
    /** Whose array serves again, where nobody keeps packets. */
    CARRIES_THE_PACKETS_OWN_BYTES("work.Turn", "load", KeepsThePacket.class);

    private final Patch patch;

    InlineBug(String type, String method, Class<?> advice) {
        patch = new Patch(type, method, advice);
    }

    @Override
    public Patch patch() {
        return patch;
    }

    @Override
    public Hunt hunt() {
        return this == CARRIES_THE_PACKETS_OWN_BYTES ? Seeds.of(200).with(Watch.NOBODY) : Seeds.of(200);
    }

    static final class Again {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) WorkCompletion entry,
                @Advice.Argument(1) Cargo cargo,
                @Advice.FieldValue("landing") Landing landing) {
            landing.land(entry, cargo);
        }
    }

    static final class Loses {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 2, readOnly = false) @Nullable Cargo cargo) {
            cargo = null;
        }
    }

    static final class SaysSuccess {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) WorkCompletion entry, @Advice.Return(readOnly = false) WorkCompletion answer) {
            answer = entry;
        }
    }

    static final class KeepsThePacket {
        @Advice.OnMethodExit
        static void exit(@Advice.Argument(2) Octets payload, @Advice.Return(readOnly = false) Cargo cargo) {
            cargo = new Cargo(cargo.to(), payload, cargo.event());
        }
    }
}
