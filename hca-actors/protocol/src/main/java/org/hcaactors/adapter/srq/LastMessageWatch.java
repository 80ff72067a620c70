// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.srq;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.hcaactors.adapter.service.DeviceHealth;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;

/** Waiters for the time when no message can reach a shared receive queue any more. Used by the queue's actor. */
public final class LastMessageWatch {
    private final DeviceHealth health;
    private final String queue;
    private final Consumer<VerbsException> adapterFailed;
    private final List<Reply<Void>> watching = new ArrayList<>();
    private Optional<VerbsException> failure = Optional.empty();

    /** @param adapterFailed called on the adapter's thread, and only while there are waiters */
    public LastMessageWatch(DeviceHealth health, String queue, Consumer<VerbsException> adapterFailed) {
        this.health = health;
        this.queue = queue;
        this.adapterFailed = adapterFailed;
    }

    public void await(Reply<Void> reply) {
        failure.ifPresentOrElse(reply::fail, () -> {
            watching.add(reply);
            if (watching.size() == 1) {
                health.whenFailed(adapterFailed);
            }
        });
    }

    /** Notifies the waiters; only the first reason counts. */
    public void fail(String reason) {
        if (failure.isEmpty()) {
            VerbsException failed = new VerbsException(Errno.EIO, queue + " accepts no more messages: " + reason);
            failure = Optional.of(failed);
            watching.forEach(each -> each.fail(failed));
            leave();
        }
    }

    public void leave() {
        watching.clear();
        health.whenFailedNoMore(adapterFailed);
    }
}
