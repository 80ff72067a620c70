package org.hcaactors.adapter.number;

import net.bytebuddy.asm.Advice;

/** What a space of numbers is patched with, inside its room. */
public final class NumberBugs {
    private NumberBugs() {}

    public static final class KeysComeBack {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) int number,
                @Advice.FieldValue("what") String what,
                @Advice.FieldValue(value = "next", readOnly = false) int next) {
            if (what.equals("memory keys")) {
                next = number;
            }
        }
    }

    public static final class QueuePairsComeBack {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) int number,
                @Advice.FieldValue("what") String what,
                @Advice.FieldValue(value = "next", readOnly = false) int next) {
            if (what.equals("queue pairs")) {
                next = number;
            }
        }
    }
}
