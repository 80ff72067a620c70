// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import java.nio.ByteOrder;
import net.bytebuddy.asm.Advice;
import org.hcaactors.adapter.atomic.Atomic;
import org.hcaactors.api.work.AtomicValue;

/** Bugs of masked atomics. */
public enum AtomicBug implements Planted {
    CARRIES_OUT_OF_A_FIELD("atomic.Atomic$FetchAdd", "after", Carries.class),
    /** A boundary as the first bit of the next field. */
    ENDS_A_FIELD_ONE_BIT_LATE("atomic.Atomic$FetchAdd", "after", OneBitLate.class),
    COMPARES_ALL_BITS("atomic.Atomic$CompareSwap", "after", ComparesAll.class),
    SWAPS_ALL_BITS("atomic.Atomic$CompareSwap", "after", SwapsAll.class),
    /** As the vendor's printed pseudo-code has it. */
    ANSWERS_THE_SUM("atomic.AtomicUnit", "update", Sum.class),
    STORES_NO_HALVES("host.BufferCell", "store", NoHalves.class),
    ANSWERS_IN_ANOTHER_ORDER("atomic.Original", "bytes", Swapped.class),
    STORES_THE_COMMANDS("work.LocalMemory", "tunnels", Never.class),
    FORGETS_THE_COMMANDS_OF_EARLIER_PACKETS("message.IncomingCommands", "take", OnlyTheLast.class);

    private final Patch patch;

    AtomicBug(String type, String method, Class<?> advice) {
        patch = new Patch(type, method, advice);
    }

    @Override
    public Patch patch() {
        return patch;
    }

    @Override
    public Hunt hunt() {
        return Seeds.of(100);
    }

    static final class Carries {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) AtomicValue before,
                @Advice.FieldValue("add") AtomicValue add,
                @Advice.Return(readOnly = false) AtomicValue after) {
            after = before.plus(add);
        }
    }

    static final class OneBitLate {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) AtomicValue before,
                @Advice.FieldValue("add") AtomicValue add,
                @Advice.FieldValue("boundary") AtomicValue boundary,
                @Advice.Return(readOnly = false) AtomicValue after) {
            AtomicValue late = boundary.plus(boundary);
            AtomicValue sum = before.and(late.not()).plus(add.and(late.not()));
            after = sum.xor(before.xor(add).and(late));
        }
    }

    static final class ComparesAll {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) AtomicValue before,
                @Advice.FieldValue("compare") AtomicValue compare,
                @Advice.Return(readOnly = false) AtomicValue after) {
            if (!before.equals(compare)) {
                after = before;
            }
        }
    }

    static final class SwapsAll {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) AtomicValue before,
                @Advice.FieldValue("swap") AtomicValue swap,
                @Advice.Return(readOnly = false) AtomicValue after) {
            if (!after.equals(before)) {
                after = swap;
            }
        }
    }

    static final class Sum {
        @Advice.OnMethodExit
        static void exit(@Advice.Argument(1) Atomic atomic, @Advice.Return(readOnly = false) AtomicValue answer) {
            answer = atomic.after(answer);
        }
    }

    static final class NoHalves {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(@Advice.Argument(0) AtomicValue value) {
            return value.sizeBytes() == Integer.BYTES;
        }
    }

    static final class Never {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) boolean tunnels) {
            tunnels = false;
        }
    }

    static final class OnlyTheLast {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(@Advice.Argument(1) boolean last) {
            return !last;
        }
    }

    static final class Swapped {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 1, readOnly = false) ByteOrder order) {
            order = order == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        }
    }
}
