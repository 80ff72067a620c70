// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;

/** The correct version: if a step is refused, the objects of the earlier steps are closed before the failure is reported. */
final class TidyStore {
    private TidyStore() {}

    static CompletionStage<Stock> open(ProtectionDomain domain, HostMemory memory) {
        return domain.context()
                .createCq(64)
                .thenCompose(completions -> orClosed(
                        completions,
                        domain.register(memory, Access.LOCAL_WRITE, Access.REMOTE_WRITE)
                                .thenCompose(values -> orClosed(
                                        values,
                                        domain.createQp(QpDescription.rc()
                                                        .withSendCq(completions)
                                                        .withCapacity(QpCapacity.of(32)))
                                                .thenApply(pair -> new Stock(completions, values, pair))))));
    }

    private static <T> CompletionStage<T> orClosed(Handle made, CompletionStage<T> rest) {
        return rest.exceptionallyCompose(refused ->
                made.closeAsync().handle((closed, busy) -> refused).thenCompose(CompletableFuture::failedStage));
    }
}
