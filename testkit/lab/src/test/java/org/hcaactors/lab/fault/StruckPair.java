// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;

/** Two adapters in a world with a connection that retransmits after 65 us, seven times: a target for faults. */
abstract class StruckPair {
    final World world = World.of(4);
    final Adapter a = world.adapter("a");
    final Adapter b = world.adapter("b");
    final ConnectedPair pair = world.connect(
            a, b, Shape.DEFAULT.with(RcConnection.DEFAULT.withTimeoutCode(4).withRetryCount(7)));

    @AfterEach
    void close() {
        world.close();
    }

    final WorkCompletion write(int bytes) {
        return world.await(write(1, bytes));
    }

    final CompletionStage<WorkCompletion> write(int id, int bytes) {
        return pair.a()
                .qp()
                .submit(RdmaWrite.of(id, pair.a().slice(0, bytes), pair.b().remote(0)));
    }
}
