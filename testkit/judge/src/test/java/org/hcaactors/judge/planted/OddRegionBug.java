// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.hcaactors.adapter.lease.Lease;

/** Bugs of regions of something else than memory that their process has. */
public enum OddRegionBug implements Planted {
    KEEPS_WHAT_A_REGION_ALLOCATED(Patch.withoutSetting("host.HostBuffers", "pinForGood", "owner")),
    SHARES_WITH_EVERYBODY(new Patch("region.Sharing", "check", Wrongs.DoesNothing.class)),
    PHYSICAL_ADDRESSES_ARE_OFF_BY_EIGHT(new Patch("region.PhysicalRegion$Use", "in", IsOffByEight.class)),
    SERVES_WHAT_A_PHYSICAL_RANGE_DOES_NOT_REACH(new Patch("region.PhysicalRegion", "covers", Wrongs.SaysYes.class)),
    A_NULL_REGION_GIVES_ONES(new Patch("region.NullRegion$Use", "load", GivesOnes.class)),
    A_NULL_REGION_LETS_PEERS_IN(new Patch("region.NullRegion$Use", "answer", LetsEverybodyIn.class)),
    SERVES_WHAT_WAS_TAKEN_BACK(new Patch("region.RegionLife", "give", GivesNothing.class));

    private final Patch patch;

    OddRegionBug(Patch patch) {
        this.patch = patch;
    }

    @Override
    public Patch patch() {
        return patch;
    }

    @Override
    public Hunt hunt() {
        return Seeds.of(200);
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
