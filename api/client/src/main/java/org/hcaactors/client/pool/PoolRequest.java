// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.RcWork;
import org.jspecify.annotations.Nullable;

/** A request of a caller, on its way through the pool. */
final class PoolRequest {
    final DcAddress address;
    final DcTargetKey to;
    final RcWork work;
    final CompletableFuture<WorkCompletion> answer = new CompletableFuture<>();

    /** Where it was posted last. */
    @Nullable
    PoolLane lane;
    /** Its place among all that were posted. */
    long place;

    int timesPosted;

    PoolRequest(DcAddress address, RcWork work) {
        this.address = address;
        this.to = DcTargetKey.of(address);
        this.work = Objects.requireNonNull(work, "work");
    }
}
