// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.util.List;
import java.util.Optional;
import org.hcaactors.actors.shard.ShardTasks;
import org.hcaactors.fabric.uplink.Polling;
import org.hcaactors.fabric.uplink.Uplink;

/** Work of a network that threads of the program do which poll: they read the sockets and run the shards' tasks. Threads: any. */
final class PollingThreads {
    private final Polling polling = new Polling(System::nanoTime);
    /** A thread has polled. */
    private volatile boolean polled;

    private final List<ShardTasks> shards;
    private final NetworkUplink uplink;
    private final Optional<SimulatedProgress> simulation;

    PollingThreads(List<ShardTasks> shards, NetworkUplink uplink, Environment.Awaiter awaiter) {
        this.shards = shards;
        this.uplink = uplink;
        simulation = awaiter.isSimulation() ? Optional.of(new SimulatedProgress(awaiter)) : Optional.empty();
    }

    /** @see RdmaNetwork#progress */
    int progress() {
        if (simulation.isPresent()) {
            return simulation.get().getAsInt();
        }
        polled = true;
        polling.note();
        try {
            int done = uplink.poll(polling);
            for (ShardTasks tasks : shards) {
                done += tasks.poll(polling);
            }
            return done;
        } catch (RuntimeException | Error failed) {
            // The network's own threads meet it, too, and act on it.
            end();
            throw failed;
        }
    }

    /** @see RdmaNetwork#endProgress */
    void end() {
        if (polled) {
            polling.end();
            uplink.ifPresent(Uplink::pollsNoMore);
            shards.forEach(ShardTasks::pollsNoMore);
        }
    }
}
