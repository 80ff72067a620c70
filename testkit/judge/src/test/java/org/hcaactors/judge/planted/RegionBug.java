// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.adapter.region.Region;

/** Bugs of regions that are registered anew. */
public enum RegionBug implements Planted {
    /** Its memory can't be unmapped any more. */
    KEEPS_WHAT_ITS_REGION_LEFT("region.Mapping", "release", Wrongs.DoesNothing.class),
    /** Who uses it still uses what it was. */
    CHANGES_UNDER_LEASES("key.Grants", "isEmpty", Wrongs.SaysYes.class),
    KEEPS_RIGHTS_THAT_WERE_TAKEN("region.Region", "after", KeepsItsRights.class),
    KEEPS_ITS_DOMAIN("region.Region", "after", KeepsItsDomain.class),
    SERVES_WHAT_IS_UNDEFINED("region.Region", "after", ServesTheUndefined.class),
    /** Without room for them. */
    KEEPS_THE_OLD_RANGE("region.Region", "after", KeepsItsRange.class);

    private final Patch patch;

    RegionBug(String type, String method, Class<?> advice) {
        patch = new Patch(type, method, advice);
    }

    @Override
    public Patch patch() {
        return patch;
    }

    @Override
    public Hunt hunt() {
        return Seeds.of(200);
    }

    static final class KeepsItsRights {
        @Advice.OnMethodExit
        static void exit(
                @Advice.This Region before,
                @Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) TranslatedKey.Step step) {
            if (step instanceof TranslatedKey.Step.Becomes becomes && becomes.next() instanceof Region next) {
                step = new TranslatedKey.Step.Becomes(new Region(
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
                @Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) TranslatedKey.Step step) {
            if (step instanceof TranslatedKey.Step.Becomes becomes && becomes.next() instanceof Region next) {
                step = new TranslatedKey.Step.Becomes(new Region(
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
                @Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) TranslatedKey.Step step) {
            if (step instanceof TranslatedKey.Step.Becomes becomes && becomes.next() instanceof Region next) {
                step = new TranslatedKey.Step.Becomes(new Region(
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
                @Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) TranslatedKey.Step step) {
            if (step instanceof TranslatedKey.Step.Becomes becomes && !(becomes.next() instanceof Region)) {
                step = new TranslatedKey.Step.Becomes(before);
            }
        }
    }
}
