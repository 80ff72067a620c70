// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.shard;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hcaactors.interleavings.Interleavings;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A shard's own thread, a thread that drives it, and threads that add tasks. */
@Param(name = "id", gen = IntGen.class, conf = "1:9")
@Tag("judge")
public class ShardTasksThreadsTest {
    private final ShardTasks tasks = new ShardTasks();
    private final List<Integer> ran = new ArrayList<>();
    private int wakeups;
    private final Drive drive = tasks.drive(Optional.of(() -> wakeups++));

    /** Adds a task that notes its number without any synchronization of its own. */
    @Operation
    public void add(int id) {
        tasks.add(() -> ran.add(id));
    }

    /** The result depends on what others run: only what has run is compared. */
    @Operation
    public void progress() {
        drive.progress();
    }

    /** What the shard's own thread does. */
    @Operation
    public void own() {
        tasks.run(null);
    }

    /** What a thread does that adds a task and runs it if it can. */
    @Operation
    public void assist(int id) {
        tasks.assist(() -> add(id));
    }

    @Operation
    public void close() {
        drive.close();
    }

    @Operation
    public String ran() {
        return ran.toString();
    }

    @Operation
    public boolean sleep() {
        return drive.requestWakeup();
    }

    @Operation
    public int wakeups() {
        return wakeups;
    }

    @Test
    void eachTaskRunsOnceAndInOrderOnWhicheverThread() {
        Interleavings.of(ShardTasksThreadsTest.class)
                .before("add 1")
                .thread("progress", "add 2")
                .thread("close", "own", "add 3")
                .after("own", "ran")
                .inAnyOrder();
    }

    @Test
    void tasksOfAnAssistantRunOnceWhoeverElseRunsTasks() {
        Interleavings.of(ShardTasksThreadsTest.class)
                .before("close", "add 1")
                .thread("assist 2")
                .thread("own")
                .after("own", "ran")
                .inAnyOrder();
    }

    @Test
    void aSleepingDriverIsWokenOrToldOfTheTask() {
        Interleavings.of(ShardTasksThreadsTest.class)
                .thread("sleep")
                .thread("add 1")
                .after("wakeups", "progress", "ran")
                .inAnyOrder();
    }

    @Test
    void ofTwoTasksOneWakesASleepingDriver() {
        Interleavings.of(ShardTasksThreadsTest.class)
                .before("sleep")
                .thread("add 1")
                .thread("add 2")
                .after("wakeups")
                .inAnyOrder();
    }
}
