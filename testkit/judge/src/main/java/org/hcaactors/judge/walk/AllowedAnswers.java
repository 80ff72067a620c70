// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.util.List;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.queue.QpState;

/** What may come of the verbs that make, use and close things, from what was there and what was under way beside them. */
final class AllowedAnswers {
    private AllowedAnswers() {}

    /** Refused where something that it needs is closed; beside its closing, either. */
    static AllowedAnswer making(Call call, List<? extends WalkObject> needs) {
        boolean mayBeClosed = needs.stream().anyMatch(thing -> thing.mayGoSince(call.began()));
        boolean isClosed = needs.stream().anyMatch(thing -> thing.isGoneBefore(call.began()));
        return AllowedAnswer.SUCCESS_ONLY
                .orRefusedIf(mayBeClosed, Errno.EINVAL, Errno.ECANCELED)
                .onlyRefusedIf(isClosed);
    }

    /** A verb on a thing: refused once that is closed, cut off where it is closed meanwhile. */
    static AllowedAnswer using(Call call, WalkObject thing) {
        return making(call, List.of(thing));
    }

    /** What posting answers in the caller's own thread, judged now: nothing that comes later has a part in it. */
    static AllowedAnswer posting(
            Call call, WalkQueuePair qp, QpState from, boolean full, List<? extends WalkObject> with) {
        int now = call.began();
        boolean mayBeClosed = qp.mayGoSince(now) || with.stream().anyMatch(thing -> thing.mayGoSince(now));
        boolean isClosed = qp.isGoneBefore(now) || with.stream().anyMatch(thing -> thing.isGoneBefore(now));
        return AllowedAnswer.SUCCESS_ONLY
                .orRefusedIf(full, Errno.ENOMEM)
                .orRefusedIf(!qp.hasSurelyBeen(from) || mayBeClosed, Errno.EINVAL)
                .onlyRefusedIf(!qp.mayHaveBeen(from, now) || isClosed);
    }

    /** A change of a region: refused where another key holds on to it. */
    static AllowedAnswer changing(Call call, WalkObjects.Region region) {
        boolean held = region.users().stream().anyMatch(user -> user.isThereSince(call.began()));
        boolean mayBeHeld = region.users().stream().anyMatch(user -> user.mayBeThereSince(call.began()));
        return using(call, region).orRefusedIf(mayBeHeld, Errno.EBUSY).onlyRefusedIf(held);
    }

    /**
     * EBUSY while something uses it; beside the coming or going of the last user, either. Who closes what is being closed
     * waits for the answer to the one who came first.
     */
    static AllowedAnswer closing(Call call, WalkObject thing) {
        int asked = thing.firstClosingBeside(call).began();
        boolean used = thing.users().stream().anyMatch(user -> user.isThereSince(asked));
        boolean mayBeUsed = thing.users().stream().anyMatch(user -> user.mayBeThereSince(asked));
        boolean alreadyGone = thing.isGoneBefore(asked);
        return AllowedAnswer.SUCCESS_ONLY
                .orRefusedIf(mayBeUsed && !alreadyGone, Errno.EBUSY)
                .onlyRefusedIf(used && !alreadyGone);
    }
}
