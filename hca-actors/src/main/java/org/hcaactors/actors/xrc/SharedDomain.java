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

/** An XRC domain, with what belongs to it, as everybody sees it who has it open. Any thread. */
public final class SharedDomain implements XrcSrqLookup {
    private final int number;
    private final Optional<String> file;
    private final Map<Integer, SharedReceiveHandle> queues = new LinkedHashMap<>();
    private final Map<Integer, SharedXrcTarget> targets = new LinkedHashMap<>();

    /** What is made in it and is not there yet. */
    private int underWay;

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

    /** One more has it open. */
    synchronized void join() {
        references++;
    }

    // rule xrc-domain-busy
    /** One fewer has it open; true if nobody has it any more. VerbsException (EBUSY) where the last would leave something in it. */
    synchronized boolean leave() {
        int inside = queues.size() + targets.size() + underWay;
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

    /** Makes something of it, which counts as being in it until then. VerbsException (EINVAL) where nobody has it any more. */
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
        underWay++;
    }

    private synchronized void end() {
        underWay--;
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

    /** VerbsException (EINVAL) where there is none of that number (rule xrc-open). */
    public synchronized SharedXrcTarget target(int requested) {
        SharedXrcTarget found = targets.get(requested);
        if (found == null) {
            throw VerbsException.invalid("XRC domain " + number + " has no target " + requested);
        }
        return found;
    }
}
