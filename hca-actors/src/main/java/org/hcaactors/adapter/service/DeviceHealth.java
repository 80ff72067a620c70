// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.service;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * Whether an adapter still carries out what it is told. Its actor says when not, and each of its objects asks before a verb
 * that is a command to the device. Threads: any.
 */
public final class DeviceHealth {
    private final String adapter;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile @Nullable Throwable crash;

    DeviceHealth(String adapter) {
        this.adapter = adapter;
    }

    /** For its actor; false if it was in error before. */
    public boolean failed(Throwable why) {
        boolean first = crash == null;
        if (first) {
            crash = why;
            listeners.forEach(Runnable::run);
        }
        return first;
    }

    /** Called once it is in error, on its actor's thread; not where it is already. */
    public void whenFailed(Runnable listener) {
        listeners.add(listener);
    }

    public void whenFailedNoMore(Runnable listener) {
        listeners.remove(listener);
    }

    /** What is to be created, changed or asked is refused with EIO; what closes or resets is not (rule event-crash). */
    public Optional<VerbsException> refusal() {
        return Optional.ofNullable(crash).map(this::inError);
    }

    /** True where the verb has been answered with its refusal. */
    public boolean refuses(Reply<?> reply) {
        Optional<VerbsException> refusal = refusal();
        refusal.ifPresent(reply::fail);
        return refusal.isPresent();
    }

    /** EIO, and what is to blame. */
    public VerbsException inError(Throwable why) {
        return new VerbsException(Errno.EIO, "adapter " + adapter + " crashed and is in error", why);
    }
}
