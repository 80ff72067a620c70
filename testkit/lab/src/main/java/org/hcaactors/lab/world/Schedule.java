// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

/** In which order a world runs what is ready. */
public sealed interface Schedule {
    /** What became ready first runs first. */
    static Schedule inOrder() {
        return new Replay(RecordedSchedule.IN_ORDER);
    }

    /** Any ready task may be next; the seed draws. */
    static Schedule random(long seed) {
        return new Random(seed);
    }

    /** The choices of a run before; after its last one, in order. */
    static Schedule replay(RecordedSchedule recorded) {
        return new Replay(recorded);
    }

    record Random(long seed) implements Schedule {}

    record Replay(RecordedSchedule recorded) implements Schedule {}
}
