// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import java.nio.ByteOrder;
import net.bytebuddy.asm.Advice;
import org.hcaactors.adapter.atomic.Atomic;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.judge.sweep.WorkloadKind;
import org.hcaactors.lab.fault.Swarm;

/** Bugs of masked atomics. */
public enum AtomicBug implements Planted {
    CARRIES_OUT_OF_A_FIELD(
            "atomic.fetch-add.after",
            Carries.class,
            Hunt.of(WorkloadKind.SHARED_WORDS).withSeeds(40)),
    /** Treats a boundary as the first bit of the next field. */
    ENDS_A_FIELD_ONE_BIT_LATE("atomic.fetch-add.after", OneBitLate.class, Hunt.of(WorkloadKind.SHARED_WORDS)),
    COMPARES_ALL_BITS("atomic.compare-swap.after", ComparesAll.class, Hunt.of(WorkloadKind.SHARED_WORDS)),
    SWAPS_ALL_BITS("atomic.compare-swap.after", SwapsAll.class, Hunt.of(WorkloadKind.SHARED_WORDS)),
    /** As in the vendor's printed pseudo-code. */
    ANSWERS_THE_SUM(
            "atomic-unit.update", Sum.class, Hunt.of(WorkloadKind.LOST_ANSWERS).under(Swarm.WIRE)),
    STORES_NO_HALVES("buffer-cell.store", NoHalves.class, Hunt.of(WorkloadKind.SHARED_WORDS)),
    ANSWERS_IN_ANOTHER_ORDER(
            "original-value.bytes",
            Swapped.class,
            Hunt.of(WorkloadKind.LOST_ANSWERS).under(Swarm.WIRE)),
    STORES_THE_COMMANDS("local-memory.tunnels", Never.class, Hunt.of(WorkloadKind.TUNNELED_WORDS)),
    FORGETS_THE_COMMANDS_OF_EARLIER_PACKETS(
            "incoming-commands.take", OnlyTheLast.class, Hunt.of(WorkloadKind.TUNNELED_WORDS));

    private final Bug bug;

    AtomicBug(String point, Class<?> advice, Hunt hunt) {
        bug = new Bug(new Patch(point, advice), hunt);
    }

    @Override
    public Bug bug() {
        return bug;
    }

    static final class Carries {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) AtomicValue before,
                @Advice.This Atomic.FetchAdd self,
                @Advice.Return(readOnly = false) AtomicValue after) {
            after = before.plus(self.add());
        }
    }

    static final class OneBitLate {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) AtomicValue before,
                @Advice.This Atomic.FetchAdd self,
                @Advice.Return(readOnly = false) AtomicValue after) {
            AtomicValue late = self.boundary().plus(self.boundary());
            AtomicValue sum = before.and(late.not()).plus(self.add().and(late.not()));
            after = sum.xor(before.xor(self.add()).and(late));
        }
    }

    static final class ComparesAll {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) AtomicValue before,
                @Advice.This Atomic.CompareSwap self,
                @Advice.Return(readOnly = false) AtomicValue after) {
            if (!before.equals(self.compare())) {
                after = before;
            }
        }
    }

    static final class SwapsAll {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) AtomicValue before,
                @Advice.This Atomic.CompareSwap self,
                @Advice.Return(readOnly = false) AtomicValue after) {
            if (!after.equals(before)) {
                after = self.swap();
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
