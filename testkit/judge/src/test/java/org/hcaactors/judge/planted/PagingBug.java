// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.hcaactors.adapter.counter.PagingCounter;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.paging.PageMap;
import org.hcaactors.adapter.work.MessageBuffer;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.judge.sweep.OneStrand;
import org.hcaactors.lab.fault.Swarm;

/** Bugs of pages that come when they are used. */
public enum PagingBug implements Planted {
    /** Queue pairs go on with what the host has taken. */
    KEEPS_WHAT_THE_HOST_TOOK(new Patch("paging.PageMap", "clear", Wrongs.DoesNothing.class)),
    /** A fault is answered, and what was to come is not there. */
    COUNTS_WHAT_IT_DOES_NOT_MAP(Patch.instead("paging.Bringing", "mapAll", "map", CountsOnly.class)),
    A_CONTENDED_FAULT_HAS_NO_ANSWER(Patch.without("paging.FaultUnit", "again", "served")),
    A_GAUGE_ONLY_RISES(new Patch("counter.PagingBoard", "add", OnlyRises.class)),
    A_PREFETCH_COUNTS_AS_A_FAULT(new Patch("counter.PagingBoard", "add", CountsAsFault.class)),
    A_CONTENTION_IS_NOT_COUNTED(new Patch("counter.PagingBoard", "add", ForgetsContentions.class)),
    A_KEY_THAT_IS_GONE_IS_NOT_COUNTED(new Patch("counter.PagingBoard", "add", ForgetsWhatIsGone.class)),
    A_FAILURE_COUNTS_AS_A_FAULT(new Patch("counter.PagingBoard", "add", FailureCountsAsFault.class)),
    /** More are under way than are served. */
    A_PREFETCH_IS_UNDER_WAY_FOR_EVER(Patch.without("paging.FaultUnit", "prefetched", "count")),
    /** A response that had no page is neither written nor asked for again. */
    LOSES_A_RESPONSE(Patch.without("rc.RcRecovery", "goOn", "sendAgain")),
    /** The message finds another one when it comes again. */
    AN_ABSENT_PAGE_COSTS_A_RECEIVE(
            new Patch("rc.RcRefusals", "pageAbsent", TakesTheReceive.class),
            new LoneHunt(OneStrand.ALL_BUT_TAGGED, Swarm.WIRE, 39, 6)),
    WRITES_WHERE_NO_PAGE_IS(new Patch("region.PagedLease", "pages", IsReady.class));

    private final Patch patch;
    private final Hunt hunt;

    PagingBug(Patch patch) {
        this(patch, Seeds.of(40));
    }

    PagingBug(Patch patch, Hunt hunt) {
        this.patch = patch;
        this.hunt = hunt;
    }

    @Override
    public Patch patch() {
        return patch;
    }

    @Override
    public Hunt hunt() {
        return hunt;
    }

    static final class OnlyRises {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(@Advice.Argument(1) long by) {
            return by < 0;
        }
    }

    static final class CountsAsFault {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 0, readOnly = false) PagingCounter counter) {
            counter = counter == PagingCounter.PREFETCH_PAGES ? PagingCounter.PAGE_FAULT_PAGES : counter;
        }
    }

    static final class ForgetsContentions {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(@Advice.Argument(0) PagingCounter counter) {
            return counter == PagingCounter.CONTENTIONS;
        }
    }

    static final class ForgetsWhatIsGone {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(@Advice.Argument(0) PagingCounter counter) {
            return counter == PagingCounter.REGIONS_NOT_FOUND;
        }
    }

    static final class FailureCountsAsFault {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 0, readOnly = false) PagingCounter counter) {
            counter = counter == PagingCounter.FAILED ? PagingCounter.PAGE_FAULTS : counter;
        }
    }

    public static final class CountsOnly {
        public static long map(PageMap map, long from, long pages, boolean writable) {
            return pages;
        }
    }

    static final class TakesTheReceive {
        @Advice.OnMethodEnter
        static void enter(@Advice.FieldValue("buffer") MessageBuffer buffer, @Advice.Argument(0) Packet packet) {
            if (packet.operation() == Operation.SEND_ONLY) {
                buffer.take();
            }
        }
    }

    static final class IsReady {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) Lease.Answer answer) {
            answer = Lease.Ready.READY;
        }
    }
}
