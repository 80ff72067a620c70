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
 * Whether an adapter still carries out what it is told. Its actor says when not, and each of its objects asks before a verb
 * that is a command to the device. Threads: any.
 */
public final class DeviceHealth {
    private final String adapter;
    private final List<Consumer<VerbsException>> listeners = new CopyOnWriteArrayList<>();
    private volatile @Nullable VerbsException refusal;

    public DeviceHealth(String adapter) {
        this.adapter = adapter;
    }

    /** For its actor; false if it was in error before. */
    public boolean failed(Throwable reason) {
        return ended(inError(reason));
    }

    // rule firmware-restart
    /**
     * For its actor: what was made before is of no use any more; false if it was not anyway.
     *
     * @param how people say that it started anew
     */
    public boolean restarted(String how) {
        return ended(new VerbsException(
                Errno.EIO, "adapter " + adapter + " started anew since this was opened (" + how + "); open it again"));
    }

    private boolean ended(VerbsException reason) {
        boolean first = refusal == null;
        if (first) {
            refusal = reason;
            listeners.forEach(listener -> listener.accept(reason));
        }
        return first;
    }

    /** Called when it is of no use any more, on its actor's thread, or at once; perhaps twice where that is now. */
    public void whenFailed(Consumer<VerbsException> listener) {
        listeners.add(listener);
        refusal().ifPresent(listener);
    }

    public void whenFailedNoMore(Consumer<VerbsException> listener) {
        listeners.remove(listener);
    }

    /** What is to be created, changed or asked is refused with EIO; what closes or resets is not (rule event-crash). */
    public Optional<VerbsException> refusal() {
        return Optional.ofNullable(refusal);
    }

    /** True where the verb has been answered with its refusal. */
    @MutationPoint("device-health.refuses")
    public boolean refuses(Reply<?> reply) {
        Optional<VerbsException> reason = refusal();
        reason.ifPresent(reply::fail);
        return reason.isPresent();
    }

    /** Carries a verb out, unless it refuses that; a VerbsException that the verb throws is its answer. */
    public void obey(Reply<?> reply, Runnable verb) {
        if (refuses(reply)) {
            return;
        }
        try {
            verb.run();
        } catch (VerbsException refused) {
            reply.fail(refused);
        }
    }

    /** EIO, and what is to blame. */
    public VerbsException inError(Throwable reason) {
        return new VerbsException(Errno.EIO, "adapter " + adapter + " crashed and is in error", reason);
    }
}
