// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.adapter.region.Region;
import org.hcaactors.judge.sweep.WorkloadKind;
import org.hcaactors.lab.fault.Swarm;

/** Bugs of reregistration. */
public enum RegionBug implements Planted {
    /** Its memory can't be unmapped any more. */
    KEEPS_WHAT_ITS_REGION_LEFT(
            "mapping.release", CommonAdvice.DoesNothing.class, Hunt.of(WorkloadKind.CHANGING_REGION)),
    /** Who uses it still uses what it was. */
    CHANGES_UNDER_LEASES(
            "granted-leases.is-empty",
            CommonAdvice.SaysYes.class,
            Hunt.of(WorkloadKind.LOST_ANSWERS).under(Swarm.WIRE)),
    KEEPS_RIGHTS_THAT_WERE_TAKEN("region.after", KeepsItsRights.class, Hunt.of(WorkloadKind.CHANGING_REGION)),
    KEEPS_ITS_DOMAIN(
            "region.after",
            KeepsItsDomain.class,
            Hunt.of(WorkloadKind.SPECIAL_REGIONS).under(Swarm.WIRE)),
    SERVES_WHAT_IS_UNDEFINED("region.after", ServesTheUndefined.class, Hunt.of(WorkloadKind.CHANGING_REGION)),
    /** Without space for them. */
    KEEPS_THE_OLD_RANGE("region.after", KeepsItsRange.class, Hunt.of(WorkloadKind.CHANGING_REGION));

    private final Bug bug;

    RegionBug(String point, Class<?> advice, Hunt hunt) {
        bug = new Bug(new Patch(point, advice), hunt);
    }

    @Override
    public Bug bug() {
        return bug;
    }

    static final class KeepsItsRights {
        @Advice.OnMethodExit
        static void exit(
                @Advice.This Region before,
                @Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) TranslatedKey.ChangeResult step) {
            if (step instanceof TranslatedKey.ChangeResult.Becomes becomes && becomes.next() instanceof Region next) {
                step = new TranslatedKey.ChangeResult.Becomes(new Region(
                        next.key(),
                        next.domain(),
                        next.address(),
                        next.lengthBytes(),
                        before.rights(),
                        next.memory(),
                        next.shift(),
                        next.windows()));
            }
        }
    }

    static final class KeepsItsDomain {
        @Advice.OnMethodExit
        static void exit(
                @Advice.This Region before,
                @Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) TranslatedKey.ChangeResult step) {
            if (step instanceof TranslatedKey.ChangeResult.Becomes becomes && becomes.next() instanceof Region next) {
                step = new TranslatedKey.ChangeResult.Becomes(new Region(
                        next.key(),
                        before.domain(),
                        next.address(),
                        next.lengthBytes(),
                        next.rights(),
                        next.memory(),
                        next.shift(),
                        next.windows()));
            }
        }
    }

    static final class KeepsItsRange {
        @Advice.OnMethodExit
        static void exit(
                @Advice.This Region before,
                @Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) TranslatedKey.ChangeResult step) {
            if (step instanceof TranslatedKey.ChangeResult.Becomes becomes && becomes.next() instanceof Region next) {
                step = new TranslatedKey.ChangeResult.Becomes(new Region(
                        next.key(),
                        next.domain(),
                        before.address(),
                        before.lengthBytes(),
                        next.rights(),
                        before.memory(),
                        before.shift(),
                        next.windows()));
            }
        }
    }

    static final class ServesTheUndefined {
        @Advice.OnMethodExit
        static void exit(
                @Advice.This Region before,
                @Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) TranslatedKey.ChangeResult step) {
            if (step instanceof TranslatedKey.ChangeResult.Becomes becomes && !(becomes.next() instanceof Region)) {
                step = new TranslatedKey.ChangeResult.Becomes(before);
            }
        }
    }
}
