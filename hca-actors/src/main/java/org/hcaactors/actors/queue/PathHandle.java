// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.adapter.stage.VerbCalls;
import org.hcaactors.adapter.work.DatagramPath;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.mutation.MutationPoint;

/** Handle of an AH. Destroying it need not wait: a datagram has its path from posting on. */
public final class PathHandle implements AddressHandle {
    private final DatagramPath path;
    private final VerbCalls verbs;
    private final Consumer<PathHandle> whenClosed;
    private volatile boolean open = true;

    /** @param whenClosed called when it is destroyed */
    public PathHandle(DatagramPath path, VerbCalls verbs, Consumer<PathHandle> whenClosed) {
        this.path = path;
        this.verbs = verbs;
        this.whenClosed = whenClosed;
    }

    /** @throws VerbsException EINVAL if the handle belongs to another adapter or was destroyed */
    static DatagramPath checked(AddressHandle to, LocalPort port) {
        if (!(to instanceof PathHandle handle) || handle.path.port() != port) {
            throw VerbsException.invalid("the address handle belongs to another adapter");
        }
        if (!handle.isOpen()) {
            throw VerbsException.invalid(handle.describe() + " was destroyed");
        }
        return handle.path;
    }

    @MutationPoint("path-handle.is-open")
    private boolean isOpen() {
        return open;
    }

    @Override
    public AddressVector vector() {
        return path.vector();
    }

    @Override
    public CompletionStage<Void> destroy() {
        return verbs.begin(Verb.DESTROY_AH, this, !open, () -> {
            end();
            return CompletableFuture.completedStage(null);
        });
    }

    private void end() {
        open = false;
        whenClosed.accept(this);
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return destroy();
    }

    @Override
    public void close() {
        if (open) {
            verbs.check(Verb.DESTROY_AH, this);
        }
        end();
    }

    @Override
    public String describe() {
        return "address handle to " + path.route().destination();
    }

    @Override
    public String toString() {
        return describe();
    }
}
