// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

/** The order in which a world runs ready tasks. */
public sealed interface Schedule {
    /** The task that became ready first runs first. */
    static Schedule inOrder() {
        return new Replay(RecordedSchedule.IN_ORDER);
    }

    /** Any ready task may be next; the seed decides. */
    static Schedule random(long seed) {
        return new Random(seed);
    }

    /** Repeats the choices of an earlier run; after the last one, tasks run in order. */
    static Schedule replay(RecordedSchedule recorded) {
        return new Replay(recorded);
    }

    record Random(long seed) implements Schedule {}

    record Replay(RecordedSchedule recorded) implements Schedule {}
}
