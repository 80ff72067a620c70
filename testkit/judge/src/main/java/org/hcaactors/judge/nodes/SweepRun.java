// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.nodes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.hcaactors.judge.sweep.MinimalRun;
import org.hcaactors.judge.sweep.Sweep;
import org.hcaactors.lab.nodes.NodesProgress;

/**
 * Course of a sweep over nodes: first the seeds run, then the lowest failing ones are shrunk. One thread.
 *
 * @param <N> a node
 */
final class SweepRun<N> {
    /** Maximum number of nodes of a sweep, with those that have gone. */
    static final int MAX_NODES = 1000;

    /** Maximum number of threads of a node. */
    static final int MAX_THREADS = 1024;

    private final NodeSweep asked;
    private final String build;
    private final Map<N, Node> nodes = new LinkedHashMap<>();
    private final Set<N> gone = new HashSet<>();
    private final List<Sweep.Outcome> outcomes = new ArrayList<>();
    private final SortedMap<Long, MinimalRun> minimal = new TreeMap<>();
    private Optional<Task> suspect = Optional.empty();
    private TaskLedger<N> ledger;
    private boolean shrinking;
    private boolean stopped;
    private long emptySince;

    private static final class Node {
        final String name;
        final int room;
        int ended;

        Node(String name, int room) {
            this.name = name;
            this.room = room;
        }
    }

    /**
     * @param build digest of this build
     * @param now time in nanoseconds
     */
    SweepRun(NodeSweep asked, String build, long now) {
        this.asked = asked;
        this.build = build;
        emptySince = now;
        Sweep sweep = asked.sweep();
        ledger = new TaskLedger<>(LongStream.range(0, sweep.seeds())
                .mapToObj(index -> new Task.Run(sweep.first() + index))
                .iterator());
    }

    /** Returns why that node may not run seeds of this sweep; empty if it may. */
    Optional<String> whyNot(N node, String itsBuild, int threads) {
        if (!itsBuild.equals(build)) {
            return Optional.of("the classes of this node are those of build " + itsBuild
                    + ", and those of the sweep of build " + build + "; the same build is required");
        }
        if (threads < 1 || threads > MAX_THREADS) {
            return Optional.of(threads + " threads; 1 to " + MAX_THREADS + " are allowed");
        }
        if (gone.contains(node)) {
            return Optional.of("the sweep took this node for dead, as it was silent for too long");
        }
        return nodes.size() + gone.size() >= MAX_NODES && !nodes.containsKey(node)
                ? Optional.of("the sweep has had " + MAX_NODES + " nodes; no more are allowed")
                : Optional.empty();
    }

    /** Lets a node in. False if it is in already. */
    boolean join(N node, String name, int threads) {
        return nodes.putIfAbsent(node, new Node(name, TaskQueue.room(threads))) == null;
    }

    /** Notes the tasks that a node runs; the others that it has only wait there. */
    void runs(N node, List<Task> running) {
        ledger.runs(node, running);
    }

    /** Takes results; true if shrinking begins, so that every node may get more tasks. */
    boolean take(N node, List<TaskResult> results) {
        for (TaskResult result : results) {
            if (ledger.end(result.task())) {
                keep(node, result);
            }
        }
        return beginShrinking();
    }

    private void keep(N node, TaskResult result) {
        switch (result) {
            case TaskResult.Ran ran -> {
                outcomes.add(ran.outcome());
                Optional.ofNullable(nodes.get(node)).ifPresent(one -> one.ended++);
            }
            case TaskResult.Shrunk shrunk -> shrunk.minimal().ifPresent(run -> minimal.put(shrunk.seed(), run));
        }
    }

    private boolean beginShrinking() {
        if (shrinking || stopped || !ledger.isDone()) {
            return false;
        }
        shrinking = true;
        List<Task.Shrink> failing = outcomes.stream()
                .filter(outcome -> outcome.reason().isPresent())
                .map(Sweep.Outcome::seed)
                .sorted()
                .limit(asked.shrinks())
                .map(Task.Shrink::new)
                .toList();
        ledger = new TaskLedger<>(failing.iterator());
        return !failing.isEmpty();
    }

    /** Gives a node as many tasks as it has room for, and returns all that it has. */
    List<Task> topUp(N node) {
        return Optional.ofNullable(nodes.get(node))
                .map(one -> ledger.topUp(node, one.room))
                .orElse(List.of());
    }

    /** Takes back the tasks of a node that has gone. */
    void leave(N node, long now) {
        if (nodes.remove(node) != null) {
            gone.add(node);
            suspect = suspect.or(() -> ledger.giveBack(node));
            emptySince = now;
        }
    }

    /** Takes back the tasks of all nodes of that name. */
    void leaveNamed(String name, long now) {
        nodes().stream()
                .filter(node -> Optional.ofNullable(nodes.get(node))
                        .map(one -> one.name)
                        .equals(Optional.of(name)))
                .forEach(node -> leave(node, now));
    }

    /** Begins no more tasks. True the first time, so that every node may drop those that it has not begun. */
    boolean stop() {
        boolean first = !stopped;
        if (first) {
            stopped = true;
            ledger.stop();
        }
        return first;
    }

    List<N> nodes() {
        return List.copyOf(nodes.keySet());
    }

    NodesProgress progress() {
        return new NodesProgress(
                asked.sweep().seeds(),
                outcomes.size(),
                shrinking,
                nodes.values().stream()
                        .map(node -> new NodesProgress.OfNode(node.name, node.ended))
                        .toList());
    }

    /** Returns the result, once the sweep has ended. */
    Optional<NodesReport> end(long now) {
        if (suspect.isPresent()) {
            return Optional.of(report(
                    Optional.of(new EndedEarly.SeedEndsNodes(suspect.get().seed(), TaskLedger.MAX_RETURNS))));
        }
        if (ledger.isDone()) {
            return Optional.of(report(Optional.empty()));
        }
        Duration empty = Duration.ofNanos(now - emptySince);
        return nodes.isEmpty() && empty.compareTo(asked.patience()) >= 0
                ? Optional.of(report(Optional.of(new EndedEarly.NoNodes(empty))))
                : Optional.empty();
    }

    private NodesReport report(Optional<EndedEarly> early) {
        return new NodesReport(asked.sweep().report(outcomes), List.copyOf(minimal.values()), early);
    }
}
