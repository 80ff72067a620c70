// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.QpFacts;
import org.hcaactors.lab.invariant.QpName;
import org.hcaactors.lab.invariant.ResourceLedger;
import org.hcaactors.lab.invariant.TraceState;

/**
 * A message takes the first receive of a tag list that matches its tag, and is unexpected only if none matches; a receive added
 * while software and adapter are out of step matches nothing (rules tag-match, tag-phase). What a message took completes once
 * (rule tag-completion), and data that an adapter begins to fetch is fetched or left to the program (rule rendezvous-finish).
 * Untagged receives stay in the queue until a message takes them.
 */
final class MatchesTags implements Invariant {
    private static final int COUNTER = 0xFFFF;

    private record Waiting(long serial, long workId, long tag, long mask) {}

    /** State of one queue according to its events. */
    private static final class TagQueue {
        final List<Waiting> list = new ArrayList<>();
        final List<Long> matched = new ArrayList<>();
        int matching;
        int delivered;
        int handled;

        Optional<Waiting> first(long tag) {
            return list.stream().filter(each -> (tag & each.mask) == each.tag).findFirst();
        }

        boolean matches(Waiting each) {
            return list.indexOf(each) < matching;
        }

        void remove(Waiting each) {
            matching -= matches(each) ? 1 : 0;
            list.remove(each);
        }

        void inStep() {
            if (delivered == handled) {
                matching = list.size();
            }
        }
    }

    private final Map<QpName, TagQueue> queues = new LinkedHashMap<>();
    private final Map<QpName, List<Waiting>> taken = new LinkedHashMap<>();
    private final Map<QpName, List<Long>> fetches = new LinkedHashMap<>();
    /** By queue: how many untagged receives were posted and not taken. */
    private final Map<QpName, Integer> untaggedReceives = new LinkedHashMap<>();

    private final Set<QpName> failed = new LinkedHashSet<>();
    private final ResourceLedger ledger;

    MatchesTags(ResourceLedger ledger) {
        this.ledger = ledger;
    }

    @Override
    public String name() {
        return "matches-tags";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(
                HcaEvent.Completed.class,
                HcaEvent.FetchBegun.class,
                HcaEvent.FetchFailed.class,
                HcaEvent.Fetched.class,
                HcaEvent.Raised.class,
                HcaEvent.SharedReceivePosted.class,
                HcaEvent.TagAdded.class,
                HcaEvent.TagMatched.class,
                HcaEvent.TagRemoved.class,
                HcaEvent.TagReturned.class,
                HcaEvent.TagUnmatched.class,
                HcaEvent.TagsSynced.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        switch (event) {
            case HcaEvent.SharedReceivePosted e -> untaggedReceives.merge(QpName.of(e), 1, Integer::sum);
            case HcaEvent.Raised e
            when e.event().kind() == AsyncEvent.Kind.SRQ_ERR -> failed.add(new QpName(e.port(), e.element()));
            case HcaEvent.TagAdded e -> added(e, report);
            case HcaEvent.TagRemoved e -> removed(e, report);
            case HcaEvent.TagsSynced e -> {
                of(QpName.of(e)).handled = e.handled();
                of(QpName.of(e)).inStep();
            }
            case HcaEvent.TagMatched e -> matched(e, report);
            case HcaEvent.TagUnmatched e -> unmatched(e, report);
            case HcaEvent.TagReturned e -> returned(e, report);
            case HcaEvent.Completed e -> completed(e, traceState, report);
            case HcaEvent.FetchBegun e ->
                fetches.computeIfAbsent(QpName.of(e), absent -> new ArrayList<>())
                        .add(e.workId());
            case HcaEvent.Fetched e -> fetchEnds(QpName.of(e), e.workId(), report);
            // Some fetches are left to the program at once.
            case HcaEvent.FetchFailed e ->
                fetches.getOrDefault(QpName.of(e), new ArrayList<>()).remove((Long) e.workId());
            default -> {}
        }
    }

    private TagQueue of(QpName queue) {
        return queues.computeIfAbsent(queue, absent -> new TagQueue());
    }

    private void added(HcaEvent.TagAdded e, Report report) {
        TagQueue queue = of(QpName.of(e));
        boolean inStep = queue.delivered == queue.handled;
        if (e.matches() != inStep) {
            report.broken(
                    "%s: receive %d is listed %s, after %d unexpected messages of which the program has handled %d"
                            .formatted(
                                    QpName.of(e),
                                    e.workId(),
                                    e.matches() ? "as matchable" : "as not matchable",
                                    queue.delivered,
                                    queue.handled));
        }
        queue.list.add(new Waiting(e.serial(), e.workId(), e.tag(), e.mask()));
        queue.inStep();
    }

    private void removed(HcaEvent.TagRemoved e, Report report) {
        TagQueue queue = of(QpName.of(e));
        Optional<Waiting> waiting =
                queue.list.stream().filter(each -> each.serial == e.serial()).findFirst();
        waiting.ifPresent(queue::remove);
        if (waiting.isPresent() != e.wasThere()) {
            report.broken("%s: receive number %d is %s the list, but the result of its deletion states the opposite"
                    .formatted(QpName.of(e), e.serial(), waiting.isPresent() ? "in" : "not in"));
        }
    }

    private void matched(HcaEvent.TagMatched e, Report report) {
        TagQueue queue = of(QpName.of(e));
        Optional<Waiting> first = queue.first(e.tag());
        if (first.isEmpty() || first.get().serial != e.serial() || !queue.matches(first.get())) {
            report.broken("%s: tag 0x%x matches receive %d instead of %s"
                    .formatted(
                            QpName.of(e),
                            e.tag(),
                            e.workId(),
                            first.map(right -> "the first matching receive, " + right.workId)
                                    .orElse("no receive")));
        }
        queue.list.stream()
                .filter(each -> each.serial == e.serial())
                .findFirst()
                .ifPresent(each -> {
                    taken.computeIfAbsent(QpName.of(e), absent -> new ArrayList<>())
                            .add(each);
                    queue.remove(each);
                });
        queue.matched.add(e.workId());
    }

    private void unmatched(HcaEvent.TagUnmatched e, Report report) {
        TagQueue queue = of(QpName.of(e));
        queue.matched.add(e.workId());
        untaggedReceives.merge(QpName.of(e), -1, Integer::sum);
        if (e.tag().isEmpty()) {
            return;
        }
        queue.first(e.tag().getAsLong())
                .filter(queue::matches)
                .ifPresent(missed -> report.broken("%s: tag 0x%x is reported as unexpected, but receive %d matches it"
                        .formatted(QpName.of(e), e.tag().getAsLong(), missed.workId)));
        queue.delivered = queue.delivered + 1 & COUNTER;
    }

    private void returned(HcaEvent.TagReturned e, Report report) {
        TagQueue queue = of(QpName.of(e));
        if (!queue.matched.remove(e.workId())) {
            report.broken("%s: receive %d is returned to the list, but no message had taken it"
                    .formatted(QpName.of(e), e.workId()));
        }
        if (e.serial() == 0) {
            untaggedReceives.merge(QpName.of(e), 1, Integer::sum);
        }
        if (e.unexpected()) {
            queue.delivered = queue.delivered - 1 & COUNTER;
            queue.inStep();
        }
        taken.getOrDefault(QpName.of(e), List.of()).stream()
                .filter(each -> each.serial == e.serial())
                .findFirst()
                .ifPresent(each -> {
                    queue.list.add(each);
                    queue.list.sort(Comparator.comparingLong(Waiting::serial));
                    queue.matching++;
                });
    }

    private void completed(HcaEvent.Completed done, TraceState traceState, Report report) {
        WorkCompletion completion = done.completion();
        QpName qp = QpName.of(done.port(), completion.qpNumber());
        Optional<QpName> queue = done.stamp().otherCause() != 0 ? Optional.empty() : queueOf(qp, traceState);
        if (queue.isEmpty() || !queues.containsKey(queue.get()) || isFirstOfTwo(completion)) {
            return;
        }
        if (!of(queue.get()).matched.remove(completion.workId())) {
            report.broken("%s: receive %d of %s completes, but it had already completed or no message had taken it"
                    .formatted(qp, completion.workId(), queue.get()));
        }
    }

    private static boolean isFirstOfTwo(WorkCompletion completion) {
        TagInfo tagInfo = completion.tagging().orElse(TagInfo.NONE);
        return completion.isSuccess() && tagInfo.matched() && !tagInfo.dataValid();
    }

    private static Optional<QpName> queueOf(QpName qp, TraceState traceState) {
        return traceState
                .queuePair(qp)
                .filter(facts -> facts.created().srq().isPresent())
                .map(facts -> new QpName(
                        qp.port(), Element.sharedReceives(facts.created().srq().getAsInt())));
    }

    private void fetchEnds(QpName qp, long workId, Report report) {
        if (!fetches.getOrDefault(qp, new ArrayList<>()).remove(workId)) {
            report.broken(qp + ": the fetch for receive " + workId + " ends, but it never began");
        }
    }

    @Override
    public void whenIdle(TraceState traceState, Report report) {
        ledger.statements(ResourceSnapshot.SharedReceives.class).forEach(queue -> {
            QpName name = new QpName(queue.adapter(), Element.sharedReceives(queue.number()));
            boolean isKnown = queues.containsKey(name) && !failed.contains(name);
            if (isKnown && queue.receives() != untaggedReceives.getOrDefault(name, 0)) {
                report.broken("%s has %d receives for unexpected messages, but %d of the posted ones were not taken"
                        .formatted(name, queue.receives(), untaggedReceives.getOrDefault(name, 0)));
            }
        });
        fetches.forEach((qp, open) -> {
            QpState state = traceState.queuePair(qp).map(QpFacts::state).orElse(QpState.RESET);
            boolean hasNoTimeout =
                    traceState.queuePair(qp).map(QpFacts::hasNoTimeout).orElse(false);
            if (!open.isEmpty() && state != QpState.SQD && !hasNoTimeout) {
                report.broken(qp + " in " + state + ": the fetch for receive " + open.getFirst() + " never ends");
            }
        });
    }
}
