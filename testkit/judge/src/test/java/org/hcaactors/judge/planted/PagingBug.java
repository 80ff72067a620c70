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
import org.hcaactors.judge.sweep.WorkloadKind;
import org.hcaactors.lab.fault.Swarm;

/** Bugs of on-demand paging. */
public enum PagingBug implements Planted {
    /** Queue pairs go on with what the host has taken. */
    KEEPS_WHAT_THE_HOST_TOOK("page-map.clear", CommonAdvice.DoesNothing.class, Hunt.of(WorkloadKind.PAGED_REGIONS)),
    /** A fault is answered, and what was to come is not there. */
    COUNTS_WHAT_IT_DOES_NOT_MAP(
            Patch.instead("page-in.map-all", "page-map.map", CountsOnly.class),
            Hunt.of(WorkloadKind.PAGED_REGIONS).under(Swarm.WIRE)),
    A_CONTENDED_FAULT_HAS_NO_ANSWER(
            Patch.without("fault-unit.retry-after-invalidation", "fault-unit.served"),
            Hunt.of(WorkloadKind.PAGED_REGIONS).under(Swarm.WIRE)),
    A_GAUGE_ONLY_RISES(
            "paging-stats.add",
            OnlyRises.class,
            Hunt.of(WorkloadKind.PAGED_REGIONS).under(Swarm.WIRE)),
    A_PREFETCH_COUNTS_AS_A_FAULT(
            "paging-stats.add",
            CountsAsFault.class,
            Hunt.of(WorkloadKind.PAGED_REGIONS).under(Swarm.WIRE)),
    A_CONTENTION_IS_NOT_COUNTED(
            "paging-stats.add",
            ForgetsContentions.class,
            Hunt.of(WorkloadKind.PAGED_REGIONS).under(Swarm.WIRE)),
    A_KEY_THAT_IS_GONE_IS_NOT_COUNTED(
            "paging-stats.add",
            ForgetsWhatIsGone.class,
            Hunt.of(WorkloadKind.PAGED_REGIONS).under(Swarm.WIRE)),
    A_FAILURE_COUNTS_AS_A_FAULT("paging-stats.add", FailureCountsAsFault.class, Hunt.of(WorkloadKind.PAGED_REGIONS)),
    /** Counts more as in progress than are served. */
    A_PREFETCH_IS_UNDER_WAY_FOR_EVER(
            Patch.without("fault-unit.prefetched", "fault-unit.effects.count"),
            Hunt.of(WorkloadKind.PAGED_REGIONS).under(Swarm.WIRE)),
    /** A response without its page is neither written nor requested again. */
    LOSES_A_RESPONSE(
            Patch.without("rc-recovery.go-on", "rc-recovery.send-again"),
            Hunt.of(WorkloadKind.PAGED_REGIONS).under(Swarm.WIRE)),
    /** The retransmitted message takes another receive. */
    AN_ABSENT_PAGE_COSTS_A_RECEIVE(
            "rc-refusals.page-absent",
            TakesTheReceive.class,
            Hunt.of(WorkloadKind.TAGGED).withSeeds(40)),
    WRITES_WHERE_NO_PAGE_IS(
            "paged-lease.pages",
            IsReady.class,
            Hunt.of(WorkloadKind.PAGED_REGIONS).under(Swarm.WIRE));

    private final Bug bug;

    PagingBug(String point, Class<?> advice, Hunt hunt) {
        this(new Patch(point, advice), hunt);
    }

    PagingBug(Patch patch, Hunt hunt) {
        bug = new Bug(patch, hunt);
    }

    @Override
    public Bug bug() {
        return bug;
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
        static void enter(@MarkedField("rc-refusals.buffer") MessageBuffer buffer, @Advice.Argument(0) Packet packet) {
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
