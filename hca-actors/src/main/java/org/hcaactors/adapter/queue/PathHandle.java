// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.queue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.hcaactors.api.memory.ProtectionDomain;
import org.hcaactors.api.queue.AddressHandle;
import org.hcaactors.api.queue.AddressVector;

/** The caller's side of an address handle. Nothing waits for it: a datagram has its path from posting on. */
public final class PathHandle implements AddressHandle {
    private final DatagramPath path;
    private final ProtectionDomain domain;
    private final Consumer<PathHandle> whenGone;
    private volatile boolean open = true;

    /** @param whenGone told when it is destroyed */
    public PathHandle(DatagramPath path, ProtectionDomain domain, Consumer<PathHandle> whenGone) {
        this.path = path;
        this.domain = domain;
        this.whenGone = whenGone;
    }

    DatagramPath path() {
        return path;
    }

    boolean isOpen() {
        return open;
    }

    @Override
    public AddressVector vector() {
        return path.vector();
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public CompletionStage<Void> destroy() {
        open = false;
        whenGone.accept(this);
        return CompletableFuture.completedStage(null);
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return destroy();
    }

    @Override
    public void close() {
        destroy();
    }

    @Override
    public String describe() {
        return "address handle to " + path.route().destination();
    }
}
