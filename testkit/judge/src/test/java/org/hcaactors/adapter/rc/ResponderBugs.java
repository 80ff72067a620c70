// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import net.bytebuddy.asm.Advice;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.LocalMemory.Accessibility;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.memory.Access;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.judge.planted.MarkedField;
import org.jspecify.annotations.Nullable;

/** Advice for planted bugs of a responder, in its package. */
public final class ResponderBugs {
    private ResponderBugs() {}

    public static final class KeepsTheNak {
        @Advice.OnMethodEnter
        static boolean enter(@MarkedField("request-sequence.nak-pending") boolean nakPending) {
            return nakPending;
        }

        @Advice.OnMethodExit
        static void exit(
                @Advice.Enter boolean before,
                @MarkedField(value = "request-sequence.nak-pending", readOnly = false) boolean nakPending) {
            nakPending = nakPending || before;
        }
    }

    /** Accepts one byte more than the First packet announced. */
    public static final class OffByOne {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.Argument(0) Operation operation,
                @Advice.Argument(value = 1, readOnly = false) long reached,
                @Advice.Argument(2) long length) {
            if (operation.ends() && reached == length + 1) {
                reached = length;
            }
        }
    }

    /** Requires a valid key for a WRITE of no bytes. */
    public static final class ChecksTheKeyOfNothing {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static @Nullable Accessibility enter(
                @Advice.Argument(0) Packet packet,
                @Advice.Argument(1) LocalMemory memory,
                @Advice.Argument(2) Turn turn) {
            if (!packet.operation().starts() || packet.reth().lengthUnsigned() != 0) {
                return null;
            }
            return memory.checkAccess(packet.reth().rkey(), packet.reth().address(), 0, Access.REMOTE_WRITE, turn);
        }

        @Advice.OnMethodExit
        static void exit(@Advice.Enter Accessibility looked, @Advice.Return(readOnly = false) Accessibility answer) {
            answer = looked == null ? answer : looked;
        }
    }
}
