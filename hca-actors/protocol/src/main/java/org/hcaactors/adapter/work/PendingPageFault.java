// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.work.LocalMemory.Reach;
import org.hcaactors.api.capability.PagingCapabilities.Use;
import org.hcaactors.api.work.RdmaWrite;
import org.jspecify.annotations.Nullable;

/**
 * The pages that a work queue waits for: one fault at a time, as the device suspends it (rule paging-suspends). Answers to what
 * was given up are told apart by their tickets.
 */
public final class PendingPageFault {
    /** Most queue pairs never wait for a page. */
    private @Nullable Wait wait;

    private static final class Wait {
        long ticket;
        boolean underWay;
        Lease.@Nullable Absent requested;

        @Nullable
        Denial refusal;
    }

    // rules paging-transports, paging-synchronous
    /**
     * What becomes of the last use that found pages {@link Reach#ABSENT}: they are asked for, unless some are already; or it is
     * {@link Reach#FORBIDDEN}, as its transport waits for no page in such a use, or they can't be had. What waits in place is {@link
     * Reach#AWAITING}.
     */
    public Reach ask(LocalMemory memory, PageFault.Kind kind, Use use, Turn turn) {
        Reach reach = asked(memory, kind, use, turn);
        return memory.waits().inPlace() ? awaited(reach) : reach;
    }

    // rule paging-unanswered
    /**
     * The same, of what nobody would send again: it waits in place with any adapter. {@link Reach#ABSENT} where such a use waits for
     * no page.
     */
    public Reach await(LocalMemory memory, PageFault.Kind kind, Use use, Turn turn) {
        return memory.waits().uses().contains(use) ? awaited(asked(memory, kind, use, turn)) : Reach.ABSENT;
    }

    private static Reach awaited(Reach reach) {
        return reach == Reach.ABSENT ? Reach.AWAITING : reach;
    }

    private Reach asked(LocalMemory memory, PageFault.Kind kind, Use use, Turn turn) {
        Lease.Absent absent = memory.absent();
        if (!memory.waits().uses().contains(use)) {
            return memory.forbidAbsent(new Denial.NoPagingForUse(absent.from()));
        }
        if (wait == null) {
            wait = new Wait();
        }
        Optional<Denial> no = takeRefusal(wait, absent);
        if (no.isPresent()) {
            return memory.forbidAbsent(no.get());
        }
        if (!wait.underWay) {
            wait.underWay = true;
            wait.requested = absent;
            wait.ticket = turn.newTicket();
            turn.bringIn(kind, absent, wait.ticket);
        }
        return Reach.ABSENT;
    }

    // rule paging-gather
    /** The same, of what a request sends. */
    public Reach askToSend(LocalMemory memory, PostedRequest posted, Turn turn) {
        Use use = posted.work() instanceof RdmaWrite ? Use.WRITE : Use.SEND;
        return ask(memory, PageFault.Kind.GATHER, use, turn);
    }

    // rule paging-fails
    /** Why those pages can't be had, if that was the last answer, and about them; it holds for one use. */
    private static Optional<Denial> takeRefusal(Wait wait, Lease.Absent absent) {
        Denial reason = wait.refusal;
        wait.refusal = null;
        Lease.Absent requested = wait.requested;
        boolean same = requested != null && requested.pager() == absent.pager() && requested.from() == absent.from();
        return same ? Optional.ofNullable(reason) : Optional.empty();
    }

    /** The answer to that ticket is in; false where nobody waits for it any more. */
    public boolean ends(long answered, Optional<Denial> reason) {
        if (wait == null || !wait.underWay || answered != wait.ticket) {
            return false;
        }
        wait.underWay = false;
        wait.refusal = reason.orElse(null);
        return true;
    }

    public boolean isUnderWay() {
        return wait != null && wait.underWay;
    }

    public void forget() {
        if (wait != null) {
            wait.underWay = false;
            wait.requested = null;
            wait.refusal = null;
        }
    }
}
