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
    static final int MAX_IN_LINE = 65_536;

    /** Maximum wait, in nanoseconds, for the end of invalidations. */
    static final long TIMEOUT = 1_000_000_000L;

    /** Events and counters of the unit. */
    public interface Effects {
        /** Records an event; returns its number, 0 if nothing is traced. */
        long raised(PagingJob.Fault.Raised what);

        long mapped(PagingJob job, long pages, boolean contended, long cause, long otherCause);

        long failed(PagingJob.Fault fault, Denial reason);

        long gone(int key, PagingOrder.Gone order, long pages);

        long prefetching(PagingOrder.Prefetch order);

        /** A prefetch could not bring in all of its pages. */
        void inVain(PagingJob.Prefetching whole, KeyDenied reason);

        @MutationPoint("fault-unit.effects.count")
        void count(PagingCounter counter, long by);

        /** A fault was answered this many nanoseconds after it was raised, and its access can be tried again. */
        void took(long nanos);
    }

    private record Due(long at, long number, Runnable what) {}

    private final PageLatency latency;
    private final Effects effects;
    private final Map<PagedRange, InvalidationTracker> ranges = new LinkedHashMap<>();
    private final Queue<PagingJob> line = new ArrayDeque<>();
    private final TreeSet<Due> due =
            new TreeSet<>(Comparator.comparingLong(Due::at).thenComparingLong(Due::number));

    /** Timeouts of the jobs that wait for the end of an invalidation. */
    private final Map<PagingJob, Due> patience = new LinkedHashMap<>();

    private int served;
    private long timers;
    private long now;

    public FaultUnit(PageLatency latency, Effects effects) {
        this.latency = latency;
        this.effects = effects;
    }

    public void take(PagingOrder order, long time) {
        now = time;
        switch (order) {
            case PagingOrder.Open open -> open(open);
            case PagingOrder.Close close -> close(close.range());
            case PagingOrder.Serve serve -> fault(serve);
            case PagingOrder.Gone gone -> invalidate(gone);
            case PagingOrder.Prefetch prefetch -> prefetch(prefetch);
            case PagingOrder.Drain drain -> drain(drain);
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
        return served + line.size();
    }

    public int ranges() {
        return ranges.size();
    }

    /** Number of pages that the adapter has mapped. */
    public long pages() {
        return ranges.keySet().stream().mapToLong(range -> range.pages().size()).sum();
    }

    // --- regions ---

    private void open(PagingOrder.Open open) {
        if (!ranges.containsKey(open.range())) {
            ranges.put(open.range(), new InvalidationTracker(open.key()));
            effects.count(PagingCounter.REGIONS, 1);
        }
    }

    /** Answers the jobs that wait for the range that its key is gone. */
    private void close(PagedRange range) {
        InvalidationTracker notifier = ranges.remove(range);
        if (notifier != null) {
            effects.count(PagingCounter.REGIONS, -1);
            effects.count(PagingCounter.REGION_PAGES, -range.pages().clear(0, Long.MAX_VALUE));
            for (PagingJob job : notifier.takeWaiting()) {
                cancel(job);
                notFound(job);
            }
            notifier.prefetches(-notifier.pending());
        }
    }

    private Optional<InvalidationTracker> notifier(PagingJob job) {
        return Optional.ofNullable(ranges.get(job.range()));
    }

    // --- faults and prefetches ---

    // rule paging-fault
    private void fault(PagingOrder.Serve serve) {
        InvalidationTracker notifier = ranges.get(serve.of().range());
        long departure = notifier == null
                ? 0
                : notifier.departureOf(
                        serve.fault().absence().from(), serve.fault().absence().count());
        long event = effects.raised(new PagingJob.Fault.Raised(serve, departure));
        begin(new PagingJob.Fault(serve, event, now));
    }

    // rules paging-prefetch, paging-line
    private void prefetch(PagingOrder.Prefetch prefetch) {
        if (prefetch.pieces().stream().anyMatch(piece -> !ranges.containsKey(piece.range()))) {
            prefetch.reply().fail(VerbsException.invalid("a prefetch of a region that is being deregistered"));
            return;
        }
        if (line.size() + prefetch.pieces().size() > MAX_IN_LINE) {
            prefetch.reply()
                    .fail(new VerbsException(
                            Errno.ENOMEM,
                            "a prefetch of %d parts behind %d others; at most %d can wait"
                                    .formatted(prefetch.pieces().size(), line.size(), MAX_IN_LINE)));
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
        for (PagingOrder.Piece piece : prefetch.pieces()) {
            notifierOf(piece).prefetches(1);
            begin(new PagingJob.Ahead(piece, whole));
        }
    }

    private InvalidationTracker notifierOf(PagingOrder.Piece piece) {
        InvalidationTracker found = ranges.get(piece.range());
        if (found == null) {
            throw new IllegalStateException("a prefetch of a range that is not there");
        }
        return found;
    }

    private void drain(PagingOrder.Drain drain) {
        InvalidationTracker notifier = ranges.get(drain.range());
        if (notifier == null) {
            Reply.done(drain.reply());
        } else {
            notifier.drained(drain.reply());
        }
    }

    // rule paging-line
    private void begin(PagingJob job) {
        if (served == MAX) {
            line.add(job);
        } else {
            served++;
            look(job);
        }
    }

    /** Checks the pages and takes the time that they need. */
    private void look(PagingJob job) {
        job.sample(notifier(job).map(InvalidationTracker::sequence).orElse(0L));
        schedule(ServiceTime.of(job, latency), () -> answered(job, () -> found(job)));
    }

    // rules paging-resolves, paging-contention
    private void found(PagingJob job) {
        Optional<InvalidationTracker> notifier = notifier(job);
        if (notifier.isEmpty() || job.range().isClosed()) {
            notFound(job);
            return;
        }
        Optional<Denial> hole = PageIn.hole(job);
        if (hole.isPresent()) {
            refuse(job, hole.get());
        } else if (notifier.get().isRunning() || !job.hasSeen(notifier.get().sequence())) {
            contend(job, notifier.get());
        } else {
            map(job);
        }
    }

    private void map(PagingJob job) {
        long pages = PageIn.map(job);
        boolean fault = job instanceof PagingJob.Fault;
        effects.count(fault ? PagingCounter.PAGE_FAULT_PAGES : PagingCounter.PREFETCH_PAGES, pages);
        effects.count(PagingCounter.REGION_PAGES, pages);
        job.range().board().mapped(job, pages);
        served(job, effects.mapped(job, pages, false, cause(job), 0));
    }

    private static long cause(PagingJob job) {
        return switch (job) {
            case PagingJob.Fault fault -> fault.event();
            case PagingJob.Ahead ahead -> ahead.whole().event();
        };
    }

    /** The job ran into an invalidation: maps nothing, and continues when the invalidation ends. */
    private void contend(PagingJob job, InvalidationTracker notifier) {
        if (!notifier.isRunning()) {
            again(job, notifier);
            return;
        }
        notifier.await(job);
        patience.put(job, schedule(TIMEOUT, () -> {
            notifier.gaveUp(job);
            effects.count(PagingCounter.TIMEOUTS, 1);
            released(job, notifier);
        }));
    }

    private void cancel(PagingJob job) {
        Due end = patience.remove(job);
        if (end != null) {
            due.remove(end);
        }
    }

    private void released(PagingJob job, InvalidationTracker notifier) {
        cancel(job);
        answered(job, () -> again(job, notifier));
    }

    /** Answers the waiting job even if its action crashes. */
    private void answered(PagingJob job, Runnable what) {
        try {
            what.run();
        } catch (RuntimeException | AssertionError crash) {
            Denial reason = new Denial.Unregistered();
            try {
                switch (job) {
                    case PagingJob.Fault fault -> fault.order().listener().served(0, Optional.of(reason));
                    case PagingJob.Ahead ahead -> ended(ahead, Optional.of(reason));
                }
            } finally {
                next();
            }
            throw crash;
        }
    }

    /** Ends a contended job: a fault's access faults again if its page is still absent; a prefetch starts over. */
    @MutationPoint("fault-unit.again")
    private void again(PagingJob job, InvalidationTracker notifier) {
        effects.count(PagingCounter.CONTENTIONS, 1);
        long event = effects.mapped(job, 0, true, cause(job), notifier.last());
        switch (job) {
            case PagingJob.Fault fault -> served(fault, event);
            case PagingJob.Ahead ahead -> look(ahead);
        }
    }

    @MutationPoint("fault-unit.served")
    private void served(PagingJob job, long event) {
        switch (job) {
            case PagingJob.Fault fault -> {
                effects.count(PagingCounter.PAGE_FAULTS, 1);
                effects.took(now - fault.began());
                fault.order().listener().served(event, Optional.empty());
            }
            case PagingJob.Ahead ahead -> ended(ahead, Optional.empty());
        }
        next();
    }

    private void notFound(PagingJob job) {
        // rule paging-reregister
        if (job instanceof PagingJob.Fault && job.range().isReplaced()) {
            served(job, effects.mapped(job, 0, false, cause(job), 0));
            return;
        }
        if (job instanceof PagingJob.Fault) {
            effects.count(PagingCounter.REGIONS_NOT_FOUND, 1);
        }
        refuse(job, new Denial.Unregistered());
    }

    private void refuse(PagingJob job, Denial reason) {
        switch (job) {
            case PagingJob.Fault fault -> {
                effects.count(PagingCounter.FAILED, 1);
                fault.order().listener().served(effects.failed(fault, reason), Optional.of(reason));
            }
            case PagingJob.Ahead ahead -> ended(ahead, Optional.of(reason));
        }
        next();
    }

    private void ended(PagingJob.Ahead piece, Optional<Denial> reason) {
        notifier(piece).ifPresent(notifier -> notifier.prefetches(-1));
        if (piece.whole().ends(reason)) {
            prefetched(piece.whole());
        }
    }

    @MutationPoint("fault-unit.prefetched")
    private void prefetched(PagingJob.Prefetching whole) {
        effects.count(PagingCounter.PREFETCHING, -1);
        Optional<KeyDenied> refusal = whole.refusal().map(whole::denied);
        try {
            refusal.ifPresent(reason -> effects.inVain(whole, reason));
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

    private void next() {
        served--;
        @Nullable PagingJob waiting = line.poll();
        if (waiting != null) {
            begin(waiting);
        }
    }

    // --- invalidations ---

    // rule paging-invalidates
    private void invalidate(PagingOrder.Gone gone) {
        InvalidationTracker notifier = ranges.get(gone.range());
        if (notifier == null) {
            return;
        }
        long first = gone.address() >>> PageMap.PAGE_SHIFT;
        long last = gone.address() + gone.count() - 1 >>> PageMap.PAGE_SHIFT;
        long pages = gone.range().pages().clear(first, last - first + 1);
        effects.count(PagingCounter.INVALIDATIONS, 1);
        effects.count(PagingCounter.INVALIDATION_PAGES, pages);
        effects.count(PagingCounter.REGION_PAGES, -pages);
        gone.range().board().gone(pages);
        notifier.begins(gone.address(), gone.count(), effects.gone(notifier.key(), gone, pages));
        schedule(latency.invalidation().toNanos(), () -> notifier.ends().forEach(job -> released(job, notifier)));
    }
}
