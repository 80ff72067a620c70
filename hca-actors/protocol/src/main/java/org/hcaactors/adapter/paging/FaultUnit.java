// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.paging;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeSet;
import org.hcaactors.adapter.counter.PagingCounter;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.KeyDenied;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.device.PageLatency;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Page faults and prefetches of an adapter, as served by its driver and host: each takes its own time, and invalidations remove
 * pages and delay others (rules paging-resolves, paging-contention).
 */
public final class FaultUnit {
    /** Maximum number of faults and prefetches served at a time; others are queued (rule paging-line). */
    static final int MAX = 4096;

    /** Maximum number of queued parts of prefetches; more are refused. */
    static final int MAX_QUEUED_PARTS = 65_536;

    /** Maximum wait, in nanoseconds, for the end of invalidations. */
    static final long TIMEOUT = 1_000_000_000L;

    /** Events and counters of the unit. */
    public interface Effects {
        /** Records an event; returns its number, 0 if nothing is traced. */
        long raised(PagingJob.Fault.Raised what);

        long mapped(PagingJob job, long pages, boolean contended, long cause, long otherCause);

        long failed(PagingJob.Fault fault, Denial reason);

        long invalidated(int key, PagingCommand.Invalidated invalidated, long pages);

        long prefetching(PagingCommand.Prefetch prefetch);

        /** A prefetch could not bring in all of its pages. */
        void prefetchFailed(PagingJob.Prefetching whole, KeyDenied reason);

        @MutationPoint("fault-unit.effects.count")
        void count(PagingCounter counter, long by);

        /** A fault was answered this many nanoseconds after it was raised, and its access can be tried again. */
        void recordLatency(long nanos);
    }

    private record Due(long at, long number, Runnable what) {}

    private final PageLatency latency;
    private final Effects effects;
    private final Map<PagedRange, InvalidationTracker> ranges = new LinkedHashMap<>();
    private final Queue<PagingJob> queue = new ArrayDeque<>();
    private final TreeSet<Due> due =
            new TreeSet<>(Comparator.comparingLong(Due::at).thenComparingLong(Due::number));

    /** Timeouts of the jobs that wait for the end of an invalidation. */
    private final Map<PagingJob, Due> contentionTimers = new LinkedHashMap<>();

    private int served;
    private long timers;
    private long now;

    public FaultUnit(PageLatency latency, Effects effects) {
        this.latency = latency;
        this.effects = effects;
    }

    public void take(PagingCommand command, long time) {
        now = time;
        switch (command) {
            case PagingCommand.Open open -> open(open);
            case PagingCommand.Close close -> close(close.range());
            case PagingCommand.Serve serve -> fault(serve);
            case PagingCommand.Invalidated invalidated -> invalidate(invalidated);
            case PagingCommand.Prefetch prefetch -> prefetch(prefetch);
            case PagingCommand.Drain drain -> drain(drain);
        }
    }

    /** Returns the time of the next {@link #timeout}; Long.MAX_VALUE for never. */
    public long nextDeadline() {
        return due.isEmpty() ? Long.MAX_VALUE : due.first().at;
    }

    public void timeout(long time) {
        now = time;
        while (!due.isEmpty() && due.first().at <= time) {
            due.removeFirst().what.run();
        }
    }

    private Due schedule(long after, Runnable what) {
        Due timer = new Due(now + after, timers++, what);
        due.add(timer);
        return timer;
    }

    /** Number of faults and prefetches under way. */
    public int outstanding() {
        return served + queue.size();
    }

    public int ranges() {
        return ranges.size();
    }

    /** Number of pages that the adapter has mapped. */
    public long pages() {
        return ranges.keySet().stream().mapToLong(range -> range.pages().size()).sum();
    }

    // --- regions ---

    private void open(PagingCommand.Open open) {
        if (!ranges.containsKey(open.range())) {
            ranges.put(open.range(), new InvalidationTracker(open.key()));
            effects.count(PagingCounter.REGIONS, 1);
        }
    }

    /** Answers the jobs that wait for the range that its key is gone. */
    private void close(PagedRange range) {
        InvalidationTracker tracker = ranges.remove(range);
        if (tracker != null) {
            effects.count(PagingCounter.REGIONS, -1);
            effects.count(PagingCounter.REGION_PAGES, -range.pages().clear(0, Long.MAX_VALUE));
            for (PagingJob job : tracker.takeWaiting()) {
                cancel(job);
                failWithoutRegion(job);
            }
            tracker.prefetches(-tracker.pending());
        }
    }

    private Optional<InvalidationTracker> tracker(PagingJob job) {
        return Optional.ofNullable(ranges.get(job.range()));
    }

    // --- faults and prefetches ---

    // rule paging-fault
    private void fault(PagingCommand.Serve serve) {
        InvalidationTracker tracker = ranges.get(serve.of().range());
        long departure = tracker == null
                ? 0
                : tracker.departureOf(
                        serve.fault().absence().from(), serve.fault().absence().count());
        long event = effects.raised(new PagingJob.Fault.Raised(serve, departure));
        admit(new PagingJob.Fault(serve, event, now));
    }

    // rules paging-prefetch, paging-line
    private void prefetch(PagingCommand.Prefetch prefetch) {
        if (prefetch.pieces().stream().anyMatch(piece -> !ranges.containsKey(piece.range()))) {
            prefetch.reply().fail(VerbsException.invalid("the prefetch names a region that is being deregistered"));
            return;
        }
        if (queue.size() + prefetch.pieces().size() > MAX_QUEUED_PARTS) {
            prefetch.reply()
                    .fail(new VerbsException(
                            Errno.ENOMEM,
                            "the prefetch has %d parts and %d are queued already; at most %d parts can be queued"
                                    .formatted(prefetch.pieces().size(), queue.size(), MAX_QUEUED_PARTS)));
            return;
        }
        effects.count(PagingCounter.PREFETCHING, 1);
        PagingJob.Prefetching whole = new PagingJob.Prefetching(prefetch, effects.prefetching(prefetch));
        if (!prefetch.flush()) {
            succeeded(prefetch.reply());
        }
        if (prefetch.pieces().isEmpty()) {
            prefetched(whole);
        }
        for (PagingCommand.Piece piece : prefetch.pieces()) {
            trackerOf(piece).prefetches(1);
            admit(new PagingJob.PrefetchPart(piece, whole));
        }
    }

    private InvalidationTracker trackerOf(PagingCommand.Piece piece) {
        InvalidationTracker tracker = ranges.get(piece.range());
        if (tracker == null) {
            throw new IllegalStateException("the prefetch names a range that does not exist");
        }
        return tracker;
    }

    private void drain(PagingCommand.Drain drain) {
        InvalidationTracker tracker = ranges.get(drain.range());
        if (tracker == null) {
            Reply.done(drain.reply());
        } else {
            tracker.drained(drain.reply());
        }
    }

    // rule paging-line
    private void admit(PagingJob job) {
        if (served == MAX) {
            queue.add(job);
        } else {
            served++;
            startService(job);
        }
    }

    /** Checks the pages and takes the time that they need. */
    private void startService(PagingJob job) {
        job.sample(tracker(job).map(InvalidationTracker::sequence).orElse(0L));
        schedule(ServiceTime.of(job, latency), () -> runOrFail(job, () -> completeService(job)));
    }

    // rules paging-resolves, paging-contention
    private void completeService(PagingJob job) {
        Optional<InvalidationTracker> tracker = tracker(job);
        if (tracker.isEmpty() || job.range().isClosed()) {
            failWithoutRegion(job);
            return;
        }
        Optional<Denial> hole = PageIn.hole(job);
        if (hole.isPresent()) {
            fail(job, hole.get());
        } else if (tracker.get().isRunning() || !job.hasSeen(tracker.get().sequence())) {
            waitForInvalidation(job, tracker.get());
        } else {
            mapPages(job);
        }
    }

    private void mapPages(PagingJob job) {
        long pages = PageIn.map(job);
        boolean fault = job instanceof PagingJob.Fault;
        effects.count(fault ? PagingCounter.PAGE_FAULT_PAGES : PagingCounter.PREFETCH_PAGES, pages);
        effects.count(PagingCounter.REGION_PAGES, pages);
        job.range().stats().mapped(job, pages);
        served(job, effects.mapped(job, pages, false, cause(job), 0));
    }

    private static long cause(PagingJob job) {
        return switch (job) {
            case PagingJob.Fault fault -> fault.event();
            case PagingJob.PrefetchPart ahead -> ahead.whole().event();
        };
    }

    /** The job ran into an invalidation: maps nothing, and continues when the invalidation ends. */
    private void waitForInvalidation(PagingJob job, InvalidationTracker tracker) {
        if (!tracker.isRunning()) {
            retryAfterInvalidation(job, tracker);
            return;
        }
        tracker.await(job);
        contentionTimers.put(job, schedule(TIMEOUT, () -> {
            tracker.stopWaiting(job);
            effects.count(PagingCounter.TIMEOUTS, 1);
            resumeContended(job, tracker);
        }));
    }

    private void cancel(PagingJob job) {
        Due end = contentionTimers.remove(job);
        if (end != null) {
            due.remove(end);
        }
    }

    private void resumeContended(PagingJob job, InvalidationTracker tracker) {
        cancel(job);
        runOrFail(job, () -> retryAfterInvalidation(job, tracker));
    }

    /** Answers the waiting job even if its action crashes. */
    private void runOrFail(PagingJob job, Runnable what) {
        try {
            what.run();
        } catch (RuntimeException | AssertionError crash) {
            Denial reason = new Denial.Unregistered();
            try {
                switch (job) {
                    case PagingJob.Fault fault -> fault.command().listener().served(0, Optional.of(reason));
                    case PagingJob.PrefetchPart ahead -> endPart(ahead, Optional.of(reason));
                }
            } finally {
                serveNext();
            }
            throw crash;
        }
    }

    /** Ends a contended job: a fault's access faults again if its page is still absent; a prefetch starts over. */
    @MutationPoint("fault-unit.retry-after-invalidation")
    private void retryAfterInvalidation(PagingJob job, InvalidationTracker tracker) {
        effects.count(PagingCounter.CONTENTIONS, 1);
        long event = effects.mapped(job, 0, true, cause(job), tracker.last());
        switch (job) {
            case PagingJob.Fault fault -> served(fault, event);
            case PagingJob.PrefetchPart ahead -> startService(ahead);
        }
    }

    @MutationPoint("fault-unit.served")
    private void served(PagingJob job, long event) {
        switch (job) {
            case PagingJob.Fault fault -> {
                effects.count(PagingCounter.PAGE_FAULTS, 1);
                effects.recordLatency(now - fault.began());
                fault.command().listener().served(event, Optional.empty());
            }
            case PagingJob.PrefetchPart ahead -> endPart(ahead, Optional.empty());
        }
        serveNext();
    }

    private void failWithoutRegion(PagingJob job) {
        // rule paging-reregister
        if (job instanceof PagingJob.Fault && job.range().isReplaced()) {
            served(job, effects.mapped(job, 0, false, cause(job), 0));
            return;
        }
        if (job instanceof PagingJob.Fault) {
            effects.count(PagingCounter.REGIONS_NOT_FOUND, 1);
        }
        fail(job, new Denial.Unregistered());
    }

    private void fail(PagingJob job, Denial reason) {
        switch (job) {
            case PagingJob.Fault fault -> {
                effects.count(PagingCounter.FAILED, 1);
                fault.command().listener().served(effects.failed(fault, reason), Optional.of(reason));
            }
            case PagingJob.PrefetchPart ahead -> endPart(ahead, Optional.of(reason));
        }
        serveNext();
    }

    private void endPart(PagingJob.PrefetchPart piece, Optional<Denial> reason) {
        tracker(piece).ifPresent(tracker -> tracker.prefetches(-1));
        if (piece.whole().ends(reason)) {
            prefetched(piece.whole());
        }
    }

    @MutationPoint("fault-unit.prefetched")
    private void prefetched(PagingJob.Prefetching whole) {
        effects.count(PagingCounter.PREFETCHING, -1);
        Optional<KeyDenied> refusal = whole.refusal().map(whole::denied);
        try {
            refusal.ifPresent(reason -> effects.prefetchFailed(whole, reason));
        } finally {
            whole.answer(refusal, this::succeeded);
        }
    }

    // rule paging-prefetch
    /** Counts a successful call, also if it was only accepted and fails later. */
    private void succeeded(Reply<Void> call) {
        effects.count(PagingCounter.PREFETCHES, 1);
        Reply.done(call);
    }

    private void serveNext() {
        served--;
        @Nullable PagingJob waiting = queue.poll();
        if (waiting != null) {
            admit(waiting);
        }
    }

    // --- invalidations ---

    // rule paging-invalidates
    private void invalidate(PagingCommand.Invalidated invalidated) {
        InvalidationTracker tracker = ranges.get(invalidated.range());
        if (tracker == null) {
            return;
        }
        long first = invalidated.address() >>> PageMap.PAGE_SHIFT;
        long last = invalidated.address() + invalidated.count() - 1 >>> PageMap.PAGE_SHIFT;
        long pages = invalidated.range().pages().clear(first, last - first + 1);
        effects.count(PagingCounter.INVALIDATIONS, 1);
        effects.count(PagingCounter.INVALIDATION_PAGES, pages);
        effects.count(PagingCounter.REGION_PAGES, -pages);
        invalidated.range().stats().invalidated(pages);
        tracker.begin(
                invalidated.address(), invalidated.count(), effects.invalidated(tracker.key(), invalidated, pages));
        schedule(latency.invalidation().toNanos(), () -> tracker.ends().forEach(job -> resumeContended(job, tracker)));
    }
}
