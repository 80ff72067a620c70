// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.xrc;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.hcaactors.actors.srq.SharedReceiveHandle;
import org.hcaactors.actors.srq.XrcSrqLookup;
import org.hcaactors.adapter.xrc.SharedXrcTarget;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;

/** An XRC domain with its targets and queues, shared by the processes that have it open. Any thread. */
public final class SharedDomain implements XrcSrqLookup {
    private final int number;
    private final Optional<String> file;
    private final Map<Integer, SharedReceiveHandle> queues = new LinkedHashMap<>();
    private final Map<Integer, SharedXrcTarget> targets = new LinkedHashMap<>();

    /** Number of creations in progress. */
    private int inProgress;

    private int references;

    SharedDomain(int number, Optional<String> file) {
        this.number = number;
        this.file = file;
    }

    @Override
    public int number() {
        return number;
    }

    public Optional<String> file() {
        return file;
    }

    /** Adds a reference. */
    synchronized void join() {
        references++;
    }

    // rule xrc-domain-busy
    /**
     * Removes a reference; true if it was the last.
     *
     * @throws VerbsException EBUSY if the last reference would leave objects in the domain
     */
    synchronized boolean leave() {
        int inside = queues.size() + targets.size() + inProgress;
        if (references == 1 && inside > 0) {
            throw new VerbsException(
                    Errno.EBUSY,
                    "XRC domain %d is used by %s and %s"
                            .formatted(
                                    number,
                                    count(targets.size(), "target"),
                                    count(queues.size(), "shared receive queue")));
        }
        references--;
        return references == 0;
    }

    private static String count(int many, String what) {
        return many + " " + what + (many == 1 ? "" : "s");
    }

    /**
     * Creates an object, which counts as being in the domain while it is created.
     *
     * @throws VerbsException EINVAL if the domain is closed
     */
    public <T> CompletionStage<T> making(Supplier<CompletionStage<T>> creation) {
        begin();
        try {
            return creation.get().whenComplete((made, refused) -> end());
        } catch (RuntimeException | Error thrown) {
            end();
            throw thrown;
        }
    }

    private synchronized void begin() {
        if (references == 0) {
            throw VerbsException.invalid("XRC domain " + number + " is closed");
        }
        inProgress++;
    }

    private synchronized void end() {
        inProgress--;
    }

    @Override
    public synchronized void add(SharedReceiveHandle queue) {
        queues.put(queue.number(), queue);
    }

    @Override
    public synchronized void remove(SharedReceiveHandle queue) {
        queues.remove(queue.number(), queue);
    }

    @Override
    public synchronized Optional<SharedReceiveHandle> find(int queue) {
        return Optional.ofNullable(queues.get(queue));
    }

    public synchronized void add(SharedXrcTarget target) {
        targets.put(target.number(), target);
    }

    public synchronized void remove(SharedXrcTarget target) {
        targets.remove(target.number(), target);
    }

    /** @throws VerbsException EINVAL if there is no target of that number (rule xrc-open) */
    public synchronized SharedXrcTarget target(int requested) {
        SharedXrcTarget found = targets.get(requested);
        if (found == null) {
            throw VerbsException.invalid("XRC domain " + number + " has no target " + requested);
        }
        return found;
    }
}
