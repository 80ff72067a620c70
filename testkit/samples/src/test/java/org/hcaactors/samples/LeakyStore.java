// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;

/**
 * Opens a store step by step. If a step is refused, it drops the objects of the earlier steps without closing them: they leak.
 */
final class LeakyStore {
    private LeakyStore() {}

    static CompletionStage<Stock> open(ProtectionDomain domain, HostMemory memory) {
        return domain.context()
                .createCq(64)
                .thenCompose(completions -> domain.register(memory, Access.LOCAL_WRITE, Access.REMOTE_WRITE)
                        .thenCompose(values -> domain.createQp(QpDescription.rc()
                                        .withSendCq(completions)
                                        .withCapacity(QpCapacity.of(32)))
                                .thenApply(pair -> new Stock(completions, values, pair))));
    }
}
