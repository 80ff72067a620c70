// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.hcaactors.adapter.audit.ResourceAudit;
import org.hcaactors.adapter.stage.StageWaiting;

/**
 * Waits of programs for the verbs of a network's adapters.
 *
 * @param deadlines of the network, once it has some
 */
record ProgramWaits(RdmaNetwork network, Environment environment, Supplier<Deadlines> deadlines)
        implements StageWaiting {
    @Override
    public void until(CompletionStage<Void> stage) {
        network.await(stage);
    }

    @Override
    public void progress(boolean again) {
        environment.awaiter().progress(again);
    }

    @Override
    public CompletableFuture<Void> after(Duration time, Executor where) {
        return deadlines.get().after(time, where);
    }

    @Override
    public ResourceAudit audit() {
        return environment.audit();
    }
}
