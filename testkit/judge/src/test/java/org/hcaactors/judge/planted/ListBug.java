// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import java.util.List;
import java.util.Optional;
import net.bytebuddy.asm.Advice;
import org.hcaactors.adapter.work.CheckedList;
import org.hcaactors.judge.sweep.WorkloadKind;

/** Bugs of lists that are posted, and of the index that counts completions. */
public enum ListBug implements Planted {
    SAYS_NOTHING_OF_A_REFUSED_REQUEST(Patch.without("work-queues.post-list", "end")),
    NAMES_THE_REQUEST_AFTER_THE_REFUSED_ONE(new Patch("checked-list.end", NamesTheNext.class)),
    POSTS_NOTHING_OF_A_REFUSED_LIST(new Patch("checked-list.of", KeepsNone.class)),
    POSTS_A_LIST_BACKWARDS(new Patch("work-ring.put-all", Reverses.class)),
    DOES_NOT_COUNT_COMPLETIONS(new Patch("completion-queue-machine.produced", CommonAdvice.DoesNothing.class));

    private final Bug bug;

    ListBug(Patch patch) {
        bug = new Bug(patch, Hunt.of(WorkloadKind.POSTED_LISTS));
    }

    @Override
    public Bug bug() {
        return bug;
    }

    static final class NamesTheNext {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 0, readOnly = false) int posted) {
            posted = posted + 1;
        }
    }

    static final class KeepsNone {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) CheckedList<?> checked) {
            if (checked.refusal().isPresent()) {
                checked = new CheckedList<>(
                        List.of(), Optional.of(checked.refusal().get()));
            }
        }
    }

    static final class Reverses {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 0, readOnly = false) List<?> entries) {
            entries = entries.reversed();
        }
    }
}
