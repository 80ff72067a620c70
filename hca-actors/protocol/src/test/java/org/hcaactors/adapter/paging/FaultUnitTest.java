// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.paging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.hcaactors.adapter.counter.PagingCounter;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.KeyDenied;
import org.hcaactors.adapter.host.MappedMemory;
import org.hcaactors.adapter.host.ModelledSpace;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.device.PageLatency;
import org.hcaactors.api.error.VerbsException;
import org.junit.jupiter.api.Test;

/** Faults, prefetches and invalidations, in the test's own time. */
class FaultUnitTest {
    private static final int PAGE = 4096;
    private static final int KEY = 0x200;
    private static final PageLatency LATENCY = PageLatency.NONE
            .withFault(Duration.ofNanos(1000))
            .withPage(Duration.ofNanos(10))
            .withUntouched(Duration.ofNanos(100))
            .withReadBack(Duration.ofNanos(500))
            .withInvalidation(Duration.ofNanos(300));

    private final ModelledSpace space = new ModelledSpace();
    private final MappedMemory memory = space.allocate(64 * PAGE);
    private final Told told = new Told();
    private FaultUnit unit = new FaultUnit(LATENCY, told);
    private final List<String> answers = new ArrayList<>();
    private long now;

    /** The pager of a range of that memory, connected directly to the unit. */
    private final PagerCommands commands = new PagerCommands() {
        @Override
        public void tell(PagingCommand command) {
            unit.take(command, now);
        }

        @Override
        public CompletionStage<Void> ask(Function<Reply<Void>, PagingCommand.Verb> command) {
            Reply<Void> reply = new Reply<>(Runnable::run);
            unit.take(command.apply(reply), now);
            return reply.stage();
        }
    };

    /** Evicts pages that the test is not about. */
    private void evictBeside() {
        memory.write(8L * PAGE, new byte[PAGE]);
        assertThat(memory.evict(8L * PAGE, PAGE)).isEqualTo(1);
    }

    private final PagedRange range =
            new PagedRange(space, memory.address(), memory.lengthBytes(), commands, false, PageMap.PAGE_SHIFT);

    /** Counts, and numbers events. */
    private static final class Told implements FaultUnit.Effects {
        final Map<PagingCounter, Long> counters = new EnumMap<>(PagingCounter.class);
        final List<String> events = new ArrayList<>();
        final List<Long> latencies = new ArrayList<>();

        boolean breaks;

        private long event(String what) {
            if (breaks) {
                throw new IllegalStateException("full");
            }
            events.add(what);
            return events.size();
        }

        @Override
        public long raised(PagingJob.Fault.Raised what) {
            return event("raised after " + what.departure());
        }

        @Override
        public long mapped(PagingJob job, long pages, boolean contended, long cause, long otherCause) {
            return event("mapped " + pages + (contended ? " contended" : "") + " by " + cause + " and " + otherCause);
        }

        @Override
        public long failed(PagingJob.Fault fault, Denial reason) {
            return event("failed by " + fault.event());
        }

        @Override
        public long invalidated(int key, PagingCommand.Invalidated invalidated, long pages) {
            return event("gone " + pages);
        }

        @Override
        public long prefetching(PagingCommand.Prefetch prefetch) {
            return event("prefetching");
        }

        @Override
        public void prefetchFailed(PagingJob.Prefetching whole, KeyDenied reason) {
            event("prefetch in vain");
        }

        @Override
        public void count(PagingCounter counter, long by) {
            counters.merge(counter, by, Long::sum);
        }

        @Override
        public void recordLatency(long nanos) {
            latencies.add(nanos);
        }

        long of(PagingCounter counter) {
            return counters.getOrDefault(counter, 0L);
        }
    }

    private void fault(String name, int page, int pages) {
        fault(name, page, pages, true);
    }

    private void fault(String name, int page, int pages, boolean writable) {
        RegionPager pager = new RegionPager(range, KEY, writable);
        Lease.Absent absent =
                new Lease.Absent(0, pager, memory.address() + (long) page * PAGE, (long) pages * PAGE, false);
        pager.serve(
                17,
                new PageFault(PageFault.Kind.REMOTE, absent, 0),
                (event, refusal) ->
                        answers.add(name + refusal.map(reason -> " " + reason).orElse("")));
    }

    private void until(long time) {
        while (unit.nextDeadline() <= time) {
            now = unit.nextDeadline();
            unit.timeout(now);
        }
        now = time;
    }

    private boolean has(int page, int pages, boolean writing) {
        return range.firstAbsent(memory.address() + (long) page * PAGE, (long) pages * PAGE, writing) < 0;
    }

    // rules paging-fault, paging-latency, paging-histogram
    @Test
    void aPageFaultTakesItsModelledTimeThenMapsItsPages() {
        memory.write(0, new byte[3 * PAGE]);
        memory.evict(2L * PAGE, PAGE);
        range.open(KEY);
        fault("first", 0, 4);
        // 4 pages, of which one was never touched and one must be read back.
        until(1000 + 40 + 100 + 500 - 1);
        assertThat(answers).isEmpty();
        assertThat(has(0, 1, false)).isFalse();
        until(1000 + 40 + 100 + 500);
        assertThat(answers).containsExactly("first");
        assertThat(has(0, 4, true)).isTrue();
        assertThat(has(4, 1, false)).isFalse();
        assertThat(told.of(PagingCounter.PAGE_FAULTS)).isEqualTo(1);
        assertThat(told.of(PagingCounter.PAGE_FAULT_PAGES)).isEqualTo(4);
        assertThat(told.of(PagingCounter.REGION_PAGES)).isEqualTo(4);
        assertThat(told.latencies).containsExactly(1640L);
        assertThat(unit.outstanding()).isZero();
    }

    // rule paging-resolves
    @Test
    void pagesThatTheAdapterHasAreNotCountedAgain() {
        range.open(KEY);
        fault("first", 0, 4);
        fault("second", 2, 4);
        until(1_000_000);
        assertThat(answers).containsExactly("first", "second");
        assertThat(told.of(PagingCounter.PAGE_FAULTS)).isEqualTo(2);
        assertThat(told.of(PagingCounter.PAGE_FAULT_PAGES)).isEqualTo(6);
    }

    // rule paging-writable
    @Test
    void pagesFaultedForReadingAreMappedReadOnly() {
        range.open(KEY);
        fault("reads", 0, 1, false);
        until(1_000_000);
        assertThat(has(0, 1, false)).isTrue();
        assertThat(has(0, 1, true)).isFalse();
    }

    // rules paging-resolves, paging-fails
    @Test
    void aFaultWithAHoleFailsWholeAndIsNotCountedAsResolved() {
        PagedRange everywhere = new PagedRange(space, 0, Long.MAX_VALUE, commands, false, PageMap.PAGE_SHIFT);
        everywhere.open(KEY);
        MappedMemory behind = space.allocate(PAGE);
        long count = behind.address() - memory.address() + PAGE;
        RegionPager pager = new RegionPager(everywhere, KEY, true);
        Lease.Absent absent = new Lease.Absent(0, pager, memory.address(), count, true);
        pager.serve(
                17, new PageFault(PageFault.Kind.GATHER, absent, 0), (event, reason) -> answers.add(reason.toString()));
        until(1_000_000);
        long hole = memory.address() + memory.lengthBytes();
        assertThat(answers)
                .containsExactly(Optional.of(new Denial.NotMapped(hole)).toString());
        assertThat(everywhere.firstAbsent(memory.address(), 1, false)).isNotNegative();
        assertThat(told.of(PagingCounter.FAILED)).isEqualTo(1);
        assertThat(told.of(PagingCounter.PAGE_FAULTS)).isZero();
        assertThat(told.of(PagingCounter.REGION_PAGES)).isZero();
        assertThat(told.latencies).isEmpty();
    }

    // rule paging-resolves
    @Test
    void aFaultUnderADeregisteredKeyIsCountedAsNotFound() {
        range.open(KEY);
        fault("late", 0, 1);
        range.close();
        until(1_000_000);
        assertThat(answers).containsExactly("late " + new Denial.Unregistered());
        assertThat(told.of(PagingCounter.REGIONS_NOT_FOUND)).isEqualTo(1);
        assertThat(told.of(PagingCounter.FAILED)).isEqualTo(1);
        assertThat(told.of(PagingCounter.REGIONS)).isZero();
        assertThat(unit.ranges()).isZero();
    }

    // rule paging-gauges
    @Test
    void deregistrationUnmapsPagesAndIsNoInvalidation() {
        range.open(KEY);
        fault("first", 0, 4);
        until(1_000_000);
        assertThat(told.of(PagingCounter.REGION_PAGES)).isEqualTo(4);
        range.close();
        assertThat(told.of(PagingCounter.REGION_PAGES)).isZero();
        assertThat(told.of(PagingCounter.INVALIDATIONS)).isZero();
        assertThat(told.of(PagingCounter.INVALIDATION_PAGES)).isZero();
    }

    // rules paging-invalidates, paging-host
    @Test
    void anEvictionRemovesPagesAtOnceAndCausesTheNextFault() {
        range.open(KEY);
        fault("first", 0, 4);
        until(1_000_000);
        assertThat(memory.evict(PAGE, 8 * PAGE)).isEqualTo(3);
        assertThat(has(0, 1, true)).isTrue();
        assertThat(has(1, 1, false)).isFalse();
        assertThat(told.of(PagingCounter.INVALIDATION_PAGES)).isEqualTo(3);
        assertThat(told.of(PagingCounter.REGION_PAGES)).isEqualTo(1);
        assertThat(told.events).last().isEqualTo("gone 3");
        fault("second", 3, 1);
        assertThat(told.events).last().isEqualTo("raised after " + (told.events.size() - 1));
    }

    // rule paging-invalidates
    @Test
    void anEvictionRemovesThePageOfAPartialRegion() {
        PagedRange part = new PagedRange(space, memory.address() + 1024, 2048, commands, false, PageMap.PAGE_SHIFT);
        part.open(KEY + 0x100);
        memory.write(0, new byte[PAGE]);
        RegionPager pager = new RegionPager(part, KEY + 0x100, true);
        Lease.Absent absent = new Lease.Absent(0, pager, part.first(), part.lengthBytes(), true);
        pager.serve(17, new PageFault(PageFault.Kind.REMOTE, absent, 0), (event, refusal) -> {});
        until(10_000);
        assertThat(part.firstAbsent(part.first(), 2048, true)).isEqualTo(-1);
        assertThat(memory.evict(3072, 8)).isEqualTo(1);
        assertThat(part.firstAbsent(part.first(), 2048, true)).isEqualTo(part.first());
        assertThat(told.of(PagingCounter.INVALIDATION_PAGES)).isEqualTo(1);
        pager.serve(17, new PageFault(PageFault.Kind.REMOTE, absent, 0), (event, refusal) -> {});
        assertThat(told.events.getLast()).isNotEqualTo("raised after 0");
    }

    // rule paging-invalidates
    @Test
    void anInvalidationWithoutMappedPagesCounts() {
        range.open(KEY);
        assertThat(memory.evict(0, PAGE)).as("the page was never touched").isZero();
        assertThat(told.of(PagingCounter.INVALIDATIONS)).isZero();
        memory.write(0, new byte[PAGE]);
        assertThat(memory.evict(0, PAGE)).isEqualTo(1);
        assertThat(told.of(PagingCounter.INVALIDATIONS)).isEqualTo(1);
        assertThat(told.of(PagingCounter.INVALIDATION_PAGES)).isZero();
    }

    // rule paging-contention
    @Test
    void aFaultDuringAnInvalidationWaitsForItAndMapsNothing() {
        range.open(KEY);
        fault("first", 0, 1);
        until(1000);
        evictBeside();
        until(1200);
        assertThat(answers).isEmpty();
        until(1300);
        assertThat(answers).containsExactly("first");
        assertThat(has(0, 1, false)).isFalse();
        assertThat(told.of(PagingCounter.CONTENTIONS)).isEqualTo(1);
        assertThat(told.of(PagingCounter.PAGE_FAULTS)).isEqualTo(1);
        assertThat(told.of(PagingCounter.PAGE_FAULT_PAGES)).isZero();
        assertThat(unit.outstanding()).isZero();
        assertThat(unit.nextDeadline()).as("no timer is left").isEqualTo(Long.MAX_VALUE);
    }

    // rule paging-contention
    @Test
    void anInvalidationWithinAFaultCountsAsContention() {
        range.open(KEY);
        fault("first", 0, 1);
        evictBeside();
        until(1_000_000);
        assertThat(answers).containsExactly("first");
        assertThat(told.of(PagingCounter.CONTENTIONS)).isEqualTo(1);
        assertThat(has(0, 1, false)).isFalse();
    }

    // rule paging-contention
    @Test
    void aFaultWaitsAtMostASecondForAnInvalidation() {
        unit = new FaultUnit(LATENCY.withInvalidation(Duration.ofSeconds(3)), told);
        range.open(KEY);
        evictBeside();
        fault("first", 0, 1);
        until(1110 + FaultUnit.TIMEOUT - 1);
        assertThat(answers).isEmpty();
        until(1110 + FaultUnit.TIMEOUT);
        assertThat(answers).containsExactly("first");
        assertThat(told.of(PagingCounter.TIMEOUTS)).isEqualTo(1);
        assertThat(told.of(PagingCounter.PAGE_FAULTS)).isEqualTo(1);
        until(10 * FaultUnit.TIMEOUT);
        assertThat(answers).hasSize(1);
    }

    // rule paging-invalidates
    @Test
    void theEndOfAProcessRemovesAllPagesAndFailsLaterFaults() {
        range.open(KEY);
        fault("first", 0, 4);
        until(1_000_000);
        space.die();
        assertThat(has(0, 1, false)).isFalse();
        assertThat(told.of(PagingCounter.INVALIDATION_PAGES)).isEqualTo(4);
        fault("second", 0, 1);
        until(2_000_000);
        assertThat(answers).containsExactly("first", "second " + new Denial.NotMapped(memory.address()));
    }

    // rule paging-fault
    @Test
    void aFaultIsAnsweredThoughItsCounterThrows() {
        range.open(KEY);
        fault("first", 0, 1);
        CompletionStage<Void> prefetch = commands.ask(reply -> new PagingCommand.Prefetch(
                List.of(new PagingCommand.Piece(range, KEY, memory.address() + PAGE, PAGE)),
                false,
                false,
                true,
                reply));
        told.breaks = true;
        assertThatThrownBy(() -> until(1_000_000)).hasMessage("full");
        assertThatThrownBy(() -> until(1_000_000)).hasMessage("full");
        told.breaks = false;
        until(1_000_000);
        assertThat(answers).containsExactly("first " + new Denial.Unregistered());
        assertThat(prefetch).isCompletedExceptionally();
        assertThat(unit.outstanding()).isZero();
        assertThat(told.of(PagingCounter.PREFETCHING)).isZero();
        range.close();
        assertThat(range.drained()).isCompleted();
    }

    // rule paging-line
    @Test
    void concurrentFaultsAreLimitedAndOthersQueued() {
        range.open(KEY);
        memory.write(0, new byte[PAGE]);
        for (int i = 0; i < FaultUnit.MAX + 2; i++) {
            fault("fault", 0, 1);
        }
        assertThat(unit.outstanding()).isEqualTo(FaultUnit.MAX + 2);
        until(1010);
        assertThat(answers).hasSize(FaultUnit.MAX);
        until(2020);
        assertThat(answers).hasSize(FaultUnit.MAX + 2);
        assertThat(unit.outstanding()).isZero();
    }

    private CompletionStage<Void> prefetch(int parts) {
        PagingCommand.Piece piece = new PagingCommand.Piece(range, KEY, memory.address(), PAGE);
        return commands.ask(
                reply -> new PagingCommand.Prefetch(Collections.nCopies(parts, piece), false, false, false, reply));
    }

    // rule paging-line
    @Test
    void prefetchesAreQueuedUpToALimitBeforeLaterFaults() {
        range.open(KEY);
        assertThat(prefetch(FaultUnit.MAX + FaultUnit.MAX_QUEUED_PARTS + 1)).isCompletedExceptionally();
        assertThat(unit.outstanding()).isZero();
        assertThat(prefetch(FaultUnit.MAX)).isCompleted();
        assertThat(prefetch(FaultUnit.MAX_QUEUED_PARTS)).isCompleted();
        assertThatThrownBy(() -> prefetch(1).toCompletableFuture().getNow(null))
                .hasCauseInstanceOf(VerbsException.class)
                .hasMessageContaining("ENOMEM")
                .hasMessageContaining(
                        "the prefetch has 1 parts and 65536 are queued already; at most 65536 parts can be queued");
        assertThat(told.of(PagingCounter.PREFETCHES)).isEqualTo(2);
        fault("first", 0, 1);
        until(1_000_000);
        assertThat(answers).containsExactly("first");
        assertThat(prefetch(1)).isCompleted();
    }

    // rule paging-latency
    @Test
    void latenciesFromZeroToAnHourAreAllowed() {
        Duration hour = Duration.ofHours(1);
        assertThat(PageLatency.DEFAULT.withReadBack(hour).readBack()).isEqualTo(hour);
        for (Duration wrong : List.of(Duration.ofNanos(-1), hour.plusNanos(1), Duration.ofSeconds(Long.MAX_VALUE))) {
            for (Function<Duration, PageLatency> with : List.<Function<Duration, PageLatency>>of(
                    LATENCY::withFault,
                    LATENCY::withPage,
                    LATENCY::withUntouched,
                    LATENCY::withReadBack,
                    LATENCY::withInvalidation)) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> with.apply(wrong))
                        .withMessageEndingWith(" is " + wrong + "; 0 to one hour is allowed");
            }
        }
    }
}
