// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.hcaactors.mutation.MutationPoint;

/** What was granted and not handed out yet, oldest first, grant by grant: each entry keeps its place in the ring. */
final class GrantedEntries {
    private final ArrayDeque<CompletionGrant> grants = new ArrayDeque<>();
    /** Entries of the oldest grant that were handed out. */
    private int gone;

    private int size;

    @MutationPoint("granted-entries.size")
    int size() {
        return size;
    }

    void granted(CompletionGrant grant) {
        grants.add(grant);
        size += grant.size();
    }

    /** The subscriber was handed that many more. */
    void handedOut(int entries) {
        size -= entries;
        gone += entries;
        CompletionGrant oldest = grants.peek();
        while (oldest != null && gone >= oldest.size()) {
            gone -= oldest.size();
            grants.remove();
            oldest = grants.peek();
        }
    }

    /** The subscriber takes nothing any more: what it was not handed, oldest first. */
    @MutationPoint("granted-entries.take-back")
    List<Cqe> takeBack() {
        List<Cqe> back = new ArrayList<>(size);
        for (CompletionGrant grant : grants) {
            for (int i = gone; i < grant.size(); i++) {
                back.add(grant.at(i));
            }
            gone = 0;
        }
        grants.clear();
        size = 0;
        return back;
    }
}
