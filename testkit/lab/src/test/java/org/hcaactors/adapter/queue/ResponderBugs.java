package org.hcaactors.adapter.queue;

import net.bytebuddy.asm.Advice;
import org.hcaactors.fabric.packet.Operation;

/** What a responder is patched with, inside its room. */
public final class ResponderBugs {
    private ResponderBugs() {}

    public static final class KeepsTheNak {
        @Advice.OnMethodEnter
        static boolean enter(@Advice.FieldValue("nakPending") boolean nakPending) {
            return nakPending;
        }

        @Advice.OnMethodExit
        static void exit(
                @Advice.Enter boolean before,
                @Advice.FieldValue(value = "nakPending", readOnly = false) boolean nakPending) {
            nakPending = nakPending || before;
        }
    }

    /** A byte more than its First packet said goes through. */
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
}
