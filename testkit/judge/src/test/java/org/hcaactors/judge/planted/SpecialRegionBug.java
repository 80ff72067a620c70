// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.judge.sweep.WorkloadKind;

/** Bugs of regions of something else than memory that their process has. */
public enum SpecialRegionBug implements Planted {
    KEEPS_WHAT_A_REGION_ALLOCATED(
            Patch.withoutSetting("host-buffers.pin-for-good", "host-buffers.owner"), Hunt.of(WorkloadKind.SPECIAL_REGIONS)),
    SHARES_WITH_EVERYBODY("region-sharing.check", CommonAdvice.DoesNothing.class, Hunt.of(WorkloadKind.SPECIAL_REGIONS)),
    PHYSICAL_ADDRESSES_ARE_OFF_BY_EIGHT(
            "physical-region.use.in",
            IsOffByEight.class,
            Hunt.of(WorkloadKind.SPECIAL_REGIONS).withSeeds(40)),
    SERVES_WHAT_A_PHYSICAL_RANGE_DOES_NOT_REACH(
            "physical-region.covers",
            CommonAdvice.SaysYes.class,
            Hunt.of(WorkloadKind.SPECIAL_REGIONS).withSeeds(40)),
    A_NULL_REGION_GIVES_ONES(
            "null-region.use.load",
            GivesOnes.class,
            Hunt.of(WorkloadKind.SPECIAL_REGIONS).withSeeds(40)),
    A_NULL_REGION_LETS_PEERS_IN(
            "null-region.use.answer",
            LetsEverybodyIn.class,
            Hunt.of(WorkloadKind.SPECIAL_REGIONS).withSeeds(40)),
    SERVES_WHAT_WAS_TAKEN_BACK(
            "region-lifecycle.give",
            GivesNothing.class,
            Hunt.of(WorkloadKind.SPECIAL_REGIONS).withSeeds(40));

    private final Bug bug;

    SpecialRegionBug(String point, Class<?> advice, Hunt hunt) {
        this(new Patch(point, advice), hunt);
    }

    SpecialRegionBug(Patch patch, Hunt hunt) {
        bug = new Bug(patch, hunt);
    }

    @Override
    public Bug bug() {
        return bug;
    }

    static final class IsOffByEight {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) long address) {
            address += 8;
        }
    }

    static final class GivesOnes {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(1) byte[] target, @Advice.Argument(2) int from, @Advice.Argument(3) int count) {
            Arrays.fill(target, from, from + count, (byte) 1);
        }
    }

    static final class LetsEverybodyIn {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) Lease.Answer answer) {
            answer = Lease.Ready.READY;
        }
    }

    static final class GivesNothing {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter() {
            return true;
        }

        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) CompletionStage<Void> given) {
            given = CompletableFuture.completedStage(null);
        }
    }
}
