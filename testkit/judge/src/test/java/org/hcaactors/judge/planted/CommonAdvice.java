// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import java.util.List;
import java.util.Optional;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;

/** Advice for mistakes that many methods can make. */
final class CommonAdvice {
    private CommonAdvice() {}

    static final class DoesNothing {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter() {
            return true;
        }
    }

    static final class SaysYes {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) boolean answer) {
            answer = true;
        }
    }

    static final class SaysNo {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) boolean answer) {
            answer = false;
        }
    }

    /** And does nothing. */
    static final class FindsNothing {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter() {
            return true;
        }

        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) Optional<?> found) {
            found = Optional.empty();
        }
    }

    /** And does nothing. */
    static final class FindsNone {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter() {
            return true;
        }

        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) List<?> found) {
            found = List.of();
        }
    }

    /** Returns its argument. */
    static final class AnswersWithTheArgument {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) Object asked,
                @Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) Object answer) {
            answer = asked;
        }
    }
}
