// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.util.List;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.queue.QpState;

/**
 * Computes the allowed answers of verbs that create, use and close objects, from the objects that exist and the calls that
 * overlap.
 */
final class AllowedAnswers {
    private AllowedAnswers() {}

    /** Creation: refused if an object that it needs is closed; either way if it overlaps the closing. */
    static AllowedAnswer making(Call call, List<? extends WalkObject> needs) {
        boolean mayBeClosed = needs.stream().anyMatch(thing -> thing.mayGoSince(call.began()));
        boolean isClosed = needs.stream().anyMatch(thing -> thing.isGoneBefore(call.began()));
        return AllowedAnswer.SUCCESS_ONLY
                .orRefusedIf(mayBeClosed, Errno.EINVAL, Errno.ECANCELED)
                .onlyRefusedIf(isClosed);
    }

    /** A verb on an object: refused once the object is closed, cancelled if it is closed meanwhile. */
    static AllowedAnswer using(Call call, WalkObject thing) {
        return making(call, List.of(thing));
    }

    /** Posting, which answers in the caller's thread. It is evaluated at once, since nothing later affects it. */
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

    /** A change of a region: refused if another key depends on it. */
    static AllowedAnswer changing(Call call, WalkObjects.Region region) {
        boolean held = region.users().stream().anyMatch(user -> user.isThereSince(call.began()));
        boolean mayBeHeld = region.users().stream().anyMatch(user -> user.mayBeThereSince(call.began()));
        return using(call, region).orRefusedIf(mayBeHeld, Errno.EBUSY).onlyRefusedIf(held);
    }

    /**
     * Closing: EBUSY while another object uses this one; either way if it overlaps the creation or closing of the last user. A
     * second call to close gets the answer of the first.
     */
    static AllowedAnswer closing(Call call, WalkObject thing) {
        int began = thing.firstClosingBeside(call).began();
        boolean used = thing.users().stream().anyMatch(user -> user.isThereSince(began));
        boolean mayBeUsed = thing.users().stream().anyMatch(user -> user.mayBeThereSince(began));
        boolean alreadyGone = thing.isGoneBefore(began);
        return AllowedAnswer.SUCCESS_ONLY
                .orRefusedIf(mayBeUsed && !alreadyGone, Errno.EBUSY)
                .onlyRefusedIf(used && !alreadyGone);
    }
}
