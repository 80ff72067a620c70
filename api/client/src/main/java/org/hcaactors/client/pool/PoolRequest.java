// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.RcWork;
import org.jspecify.annotations.Nullable;

/** A caller's request in the pool. */
final class PoolRequest {
    final DcAddress address;
    final DcTargetKey to;
    final RcWork work;
    final CompletableFuture<WorkCompletion> answer = new CompletableFuture<>();

    /** Lane to which it was last posted. */
    @Nullable
    PoolLane lane;
    /** Its position among all posted requests. */
    long place;

    int timesPosted;

    PoolRequest(DcAddress address, RcWork work) {
        this.address = address;
        this.to = DcTargetKey.of(address);
        this.work = Objects.requireNonNull(work, "work");
    }
}
