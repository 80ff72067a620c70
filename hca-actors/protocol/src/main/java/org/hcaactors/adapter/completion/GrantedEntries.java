// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.hcaactors.mutation.MutationPoint;

/** Entries granted and not yet handed out, oldest first, by grant. Each still occupies a slot of the ring. */
final class GrantedEntries {
    private final ArrayDeque<CompletionGrant> grants = new ArrayDeque<>();
    /** Number of entries of the oldest grant that were handed out. */
    private int delivered;

    private int size;

    @MutationPoint("granted-entries.size")
    int size() {
        return size;
    }

    void granted(CompletionGrant grant) {
        grants.add(grant);
        size += grant.size();
    }

    /** The subscriber has received the given number of further entries. */
    void delivered(int entries) {
        size -= entries;
        delivered += entries;
        CompletionGrant oldest = grants.peek();
        while (oldest != null && delivered >= oldest.size()) {
            delivered -= oldest.size();
            grants.remove();
            oldest = grants.peek();
        }
    }

    /** Returns and removes the entries that the subscriber did not receive, oldest first. */
    @MutationPoint("granted-entries.take-back")
    List<Cqe> takeBack() {
        List<Cqe> back = new ArrayList<>(size);
        for (CompletionGrant grant : grants) {
            for (int i = delivered; i < grant.size(); i++) {
                back.add(grant.at(i));
            }
            delivered = 0;
        }
        grants.clear();
        size = 0;
        return back;
    }
}
