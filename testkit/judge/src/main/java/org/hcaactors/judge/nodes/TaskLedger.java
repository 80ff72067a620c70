// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.nodes;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The tasks of a sweep, and the nodes that have them. Each task ends once: a result of a task that has ended is refused, also if two nodes had the task
 * because one of them was taken for dead. One thread.
 *
 * @param <N> a node
 */
final class TaskLedger<N> {
    /** Number of nodes that may end while they run the same task before that task is suspected to end them. */
    static final int MAX_RETURNS = 3;

    private final Map<N, Set<Task>> held = new LinkedHashMap<>();
    private final Map<N, Set<Task>> running = new HashMap<>();
    private final Deque<Task> returned = new ArrayDeque<>();
    private final Map<Task, Integer> returns = new HashMap<>();
    private Iterator<? extends Task> fresh;
    private boolean stopped;

    /** @param tasks all tasks, each once; the ledger takes them when nodes have room */
    TaskLedger(Iterator<? extends Task> tasks) {
        fresh = tasks;
    }

    /**
     * Gives a node more tasks, those first that other nodes gave back, and returns all that it has.
     *
     * @param room maximum number of tasks that it may have
     */
    List<Task> topUp(N node, int room) {
        Set<Task> tasks = held.computeIfAbsent(node, absent -> new LinkedHashSet<>());
        while (tasks.size() < room && hasNext()) {
            tasks.add(returned.isEmpty() ? fresh.next() : returned.removeFirst());
        }
        return List.copyOf(tasks);
    }

    private boolean hasNext() {
        return !returned.isEmpty() || fresh.hasNext();
    }

    /** Ends a task. False if it has ended before. */
    boolean end(Task task) {
        boolean open = held.values().stream().anyMatch(tasks -> tasks.remove(task)) || returned.remove(task);
        returns.remove(task);
        return open;
    }

    /** Notes which of its tasks a node runs. A node runs no others, as far as is known. */
    void runs(N node, Collection<Task> tasks) {
        running.put(node, Set.copyOf(tasks));
    }

    /** Takes all tasks from a node that has gone. Returns one that too many nodes ran when they went. */
    Optional<Task> giveBack(N node) {
        Set<Task> ran = Optional.ofNullable(running.remove(node)).orElse(Set.of());
        List<Task> tasks =
                new ArrayList<>(Optional.ofNullable(held.remove(node)).orElse(Set.of()));
        Collections.reverse(tasks);
        if (stopped) {
            return Optional.empty();
        }
        tasks.forEach(returned::addFirst);
        return tasks.stream()
                .filter(ran::contains)
                .filter(task -> returns.merge(task, 1, Integer::sum) >= MAX_RETURNS)
                .findFirst();
    }

    /** Gives out no more tasks. Seeds that a node runs may still end; what waits there, and each search for a minimal run, is dropped. */
    void stop() {
        stopped = true;
        held.forEach((node, tasks) -> {
            Set<Task> begun = Optional.ofNullable(running.get(node)).orElse(Set.of());
            tasks.removeIf(task -> task instanceof Task.Shrink || !begun.contains(task));
        });
        fresh = Collections.emptyIterator();
        returned.clear();
    }

    /** True if no task is left, here or with a node. */
    boolean isDone() {
        return !hasNext() && held.values().stream().allMatch(Set::isEmpty);
    }
}
