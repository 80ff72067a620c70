// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import java.util.List;
import java.util.TreeSet;
import net.bytebuddy.asm.Advice;
import org.hcaactors.api.memory.PageType;

/** Bugs of the pages that buffers stand on. */
public enum PageBug implements Planted {
    KEEPS_PAGES_FOR_EVER(new Patch("page.Pages", "release", Wrongs.DoesNothing.class)),
    KEEPS_THE_PAGES_OF_SMALLER_RINGS(Patch.without("completion.CompletionQueueHandle", "resized", "release")),
    KEEPS_THE_PAGES_OF_QUEUE_PAIRS(Patch.without("queue.QueuePairActor", "drop", "release")),
    /** A block and its buddy are one again, also where the buddy is somebody's. */
    FREES_WHAT_IS_TAKEN(Patch.instead("page.FreeBlocks", "merge", "remove", FindsEveryBuddy.class)),
    TAKES_WHAT_WAS_NOT_ASKED_FOR(new Patch("page.Buffer", "tries", FallsBackFromWhatIsForced.class));

    private final Patch patch;

    PageBug(Patch patch) {
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
