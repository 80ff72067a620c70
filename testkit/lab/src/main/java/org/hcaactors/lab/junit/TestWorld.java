// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import java.util.concurrent.locks.ReentrantLock;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.RecordedSchedule;
import org.hcaactors.lab.world.Schedule;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;

/** A world in the hands of JUnit, with the seed and the swarm it was made for. */
final class TestWorld implements AutoCloseable {
    private final World world;
    private final Swarm swarm;
    private final ReentrantLock turn = new ReentrantLock();
    private boolean closed;
    private Seen seen = Seen.NOTHING;

    TestWorld(WorldOptions options, String schedule, Swarm swarm) {
        this.world = World.of(
                schedule.isEmpty() ? options : options.with(Schedule.replay(RecordedSchedule.named(schedule))));
        this.swarm = swarm;
    }

    World world() {
        return world;
    }

    Swarm swarm() {
        return swarm;
    }

    /** As it was at the end of the test before. */
    Seen seen() {
        return seen;
    }

    /** A test in it has ended. */
    void look() {
        seen = Seen.of(world);
    }

    /** The calling thread may use the world until it {@linkplain #leave leaves}. */
    void enter() {
        turn.lock();
        world.adopt();
    }

    void leave() {
        turn.unlock();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            world.adopt();
            world.close();
        }
    }
}
