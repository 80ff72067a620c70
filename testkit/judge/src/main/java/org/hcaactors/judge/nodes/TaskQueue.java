// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.nodes;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The tasks of one node: waiting, running, or ended with a result that the coordinator does not have yet. Messages may get lost: each
 * list of the coordinator names all tasks of this node, so a result is acknowledged when its task is no longer listed. One thread.
 */
final class TaskQueue {
    /** Results in one message; the others follow when these are acknowledged. */
    static final int MAX_RESULTS = 4;

    /** Tasks for each thread: while one runs, the next one is on its way. */
    private static final int TASKS_PER_THREAD = 2;

    private final int threads;
    private final Set<Task> waiting = new LinkedHashSet<>();
    private final Set<Task> running = new LinkedHashSet<>();
    private final Map<Task, TaskResult> ended = new LinkedHashMap<>();

    TaskQueue(int threads) {
        this.threads = threads;
    }

    /** Returns how many tasks a node with that many threads may have. */
    static int room(int threads) {
        return TASKS_PER_THREAD * threads;
    }

    /** Takes the coordinator's list of all tasks of this node. */
    void assign(List<Task> all) {
        ended.keySet().retainAll(all);
        waiting.clear();
        all.stream()
                .filter(task -> !running.contains(task) && !ended.containsKey(task))
                .forEach(waiting::add);
    }

    /** Returns the tasks that threads are free for; they run from now on. */
    List<Task> begin() {
        List<Task> begun = waiting.stream().limit(threads - running.size()).toList();
        begun.forEach(waiting::remove);
        running.addAll(begun);
        return begun;
    }

    /** Returns the tasks that have begun and not ended. */
    List<Task> running() {
        return List.copyOf(running);
    }

    void end(TaskResult result) {
        running.remove(result.task());
        ended.put(result.task(), result);
    }

    /** Returns results for the coordinator, {@value #MAX_RESULTS} at most. */
    List<TaskResult> results() {
        return new ArrayList<>(ended.values()).subList(0, Math.min(MAX_RESULTS, ended.size()));
    }
}
