// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.service;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Health of an adapter. Its actor reports a failure or restart, and each of its objects checks it before a verb that is a
 * command to the device. Any thread.
 */
public final class DeviceHealth {
    private final String adapter;
    private final List<Consumer<VerbsException>> listeners = new CopyOnWriteArrayList<>();
    private volatile @Nullable VerbsException refusal;

    public DeviceHealth(String adapter) {
        this.adapter = adapter;
    }

    /** Called by the adapter's actor on a failure; returns false if the adapter was in error already. */
    public boolean failed(Throwable reason) {
        return ended(inError(reason));
    }

    // rule firmware-restart
    /**
     * Called by the adapter's actor on a restart, which makes all previous objects unusable; returns false if they were
     * already.
     *
     * @param how kind of the restart, as text
     */
    public boolean restarted(String how) {
        return ended(new VerbsException(
                Errno.EIO,
                "adapter " + adapter + " restarted since this object was opened (" + how + "); open it again"));
    }

    private boolean ended(VerbsException reason) {
        boolean first = refusal == null;
        if (first) {
            refusal = reason;
            listeners.forEach(listener -> listener.accept(reason));
        }
        return first;
    }

    /**
     * Calls the listener when the adapter becomes unusable, on its actor's thread, or at once if it is; perhaps twice in a
     * race.
     */
    public void whenFailed(Consumer<VerbsException> listener) {
        listeners.add(listener);
        refusal().ifPresent(listener);
    }

    public void whenFailedNoMore(Consumer<VerbsException> listener) {
        listeners.remove(listener);
    }

    /**
     * Returns the refusal, EIO, of verbs that create, change or query; closing and resetting are never refused (rule
     * event-crash).
     */
    public Optional<VerbsException> refusal() {
        return Optional.ofNullable(refusal);
    }

    /** Answers the verb with the refusal if there is one; returns true if so. */
    @MutationPoint("device-health.refuses")
    public boolean refuses(Reply<?> reply) {
        Optional<VerbsException> reason = refusal();
        reason.ifPresent(reply::fail);
        return reason.isPresent();
    }

    /** Runs a verb unless it is refused; a VerbsException that the verb throws becomes its answer. */
    public void run(Reply<?> reply, Runnable verb) {
        if (refuses(reply)) {
            return;
        }
        try {
            verb.run();
        } catch (VerbsException refused) {
            reply.fail(refused);
        }
    }

    /** Returns the EIO exception with its cause. */
    public VerbsException inError(Throwable reason) {
        return new VerbsException(Errno.EIO, "adapter " + adapter + " crashed and is in error", reason);
    }
}
