// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.work.LocalMemory.Accessibility;
import org.hcaactors.api.capability.PagingCapabilities.Use;
import org.hcaactors.api.work.RdmaWrite;
import org.jspecify.annotations.Nullable;

/**
 * The page fault that a work queue waits for. There is one at a time, as the device suspends the queue (rule paging-suspends).
 * Answers to abandoned faults are recognized by their tickets.
 */
public final class PendingPageFault {
    /** Null until the first fault, since most queue pairs never wait for a page. */
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
     * Handles the last access that found pages {@link Accessibility#ABSENT}: raises a page fault unless one is pending. Returns
     * {@link Accessibility#FORBIDDEN} if the transport waits for no page in such an access or the pages are not available, and
     * {@link Accessibility#AWAITING} if the queue pair waits in place.
     */
    public Accessibility raise(LocalMemory memory, PageFault.Kind kind, Use use, Turn turn) {
        Accessibility reach = raised(memory, kind, use, turn);
        return memory.waits().inPlace() ? awaited(reach) : reach;
    }

    // rule paging-unanswered
    /**
     * Handles an absent page of an access that no peer would repeat: it waits in place with any adapter. Returns
     * {@link Accessibility#ABSENT} if such an access waits for no page.
     */
    public Accessibility await(LocalMemory memory, PageFault.Kind kind, Use use, Turn turn) {
        return memory.waits().uses().contains(use) ? awaited(raised(memory, kind, use, turn)) : Accessibility.ABSENT;
    }

    private static Accessibility awaited(Accessibility reach) {
        return reach == Accessibility.ABSENT ? Accessibility.AWAITING : reach;
    }

    private Accessibility raised(LocalMemory memory, PageFault.Kind kind, Use use, Turn turn) {
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
            turn.requestPages(kind, absent, wait.ticket);
        }
        return Accessibility.ABSENT;
    }

    // rule paging-gather
    /** Handles an absent page of the data that a request sends. */
    public Accessibility raiseForSend(LocalMemory memory, PostedRequest posted, Turn turn) {
        Use use = posted.work() instanceof RdmaWrite ? Use.WRITE : Use.SEND;
        return raise(memory, PageFault.Kind.GATHER, use, turn);
    }

    // rule paging-fails
    /** Returns why these pages are not available, if the last answer was about them and said so; the answer is used once. */
    private static Optional<Denial> takeRefusal(Wait wait, Lease.Absent absent) {
        Denial reason = wait.refusal;
        wait.refusal = null;
        Lease.Absent requested = wait.requested;
        boolean same = requested != null && requested.pager() == absent.pager() && requested.from() == absent.from();
        return same ? Optional.ofNullable(reason) : Optional.empty();
    }

    /** Takes the answer with that ticket; returns false if it is no longer awaited. */
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
