// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import java.util.List;
import java.util.TreeSet;
import net.bytebuddy.asm.Advice;
import org.hcaactors.api.memory.PageType;
import org.hcaactors.judge.sweep.WorkloadKind;

/** Bugs of the pages that buffers stand on. */
public enum PageBug implements Planted {
    KEEPS_PAGES_FOR_EVER("allocated-pages.release", CommonAdvice.DoesNothing.class, Hunt.of(WorkloadKind.SCARCE_PAGES)),
    KEEPS_THE_PAGES_OF_SMALLER_RINGS(
            Patch.without("completion-queue-handle.resized", "allocated-pages.release"),
            Hunt.of(WorkloadKind.SHORT_SUBSCRIPTIONS)),
    KEEPS_THE_PAGES_OF_QUEUE_PAIRS(
            Patch.without("queue-pair-actor.drop", "allocated-pages.release"), Hunt.of(WorkloadKind.SCARCE_PAGES)),
    /** A block and its buddy are one again, also where the buddy is somebody's. */
    FREES_WHAT_IS_TAKEN(
            Patch.instead("free-blocks.merge", "remove", FindsEveryBuddy.class),
            Hunt.of(WorkloadKind.SCARCE_PAGES).withSeeds(40)),
    TAKES_WHAT_WAS_NOT_ASKED_FOR(
            "buffer-kind.tries",
            FallsBackFromWhatIsForced.class,
            Hunt.of(WorkloadKind.SCARCE_PAGES).withSeeds(40));

    private final Bug bug;

    PageBug(String point, Class<?> advice, Hunt hunt) {
        this(new Patch(point, advice), hunt);
    }

    PageBug(Patch patch, Hunt hunt) {
        bug = new Bug(patch, hunt);
    }

    @Override
    public Bug bug() {
        return bug;
    }

    public static final class FindsEveryBuddy {
        public static boolean remove(TreeSet<?> free, Object first) {
            free.remove(first);
            return true;
        }
    }

    static final class FallsBackFromWhatIsForced {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) List<PageType> tries) {
            tries = List.of(tries.get(0), PageType.ANON);
        }
    }
}
