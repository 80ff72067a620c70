// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import java.util.concurrent.locks.ReentrantLock;
import org.hcaactors.lab.seeds.RunProgress;
import org.hcaactors.lab.seeds.TestSettings;
import org.hcaactors.lab.world.World;

/** A world that JUnit manages, with its settings. */
final class TestWorld implements AutoCloseable {
    private final World world;
    private final TestSettings settings;
    private final ReentrantLock turn = new ReentrantLock();
    private boolean closed;
    private RunProgress seen = RunProgress.NOTHING;

    TestWorld(long seed, TestSettings settings) {
        this.world = settings.world(seed);
        this.settings = settings;
    }

    World world() {
        return world;
    }

    TestSettings settings() {
        return settings;
    }

    /** Returns the progress at the end of the previous test. */
    RunProgress seen() {
        return seen;
    }

    /** Notes the progress at the end of a test. */
    void look() {
        seen = RunProgress.of(world);
    }

    /** Lets the calling thread use the world until it {@linkplain #leave leaves}. */
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
