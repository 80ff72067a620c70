// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.stage.BusyRefusal;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.mutation.MutationPoint;

/** Objects that one context is creating, or has created and not closed, in the order of creation. Any thread. */
final class OpenObjects {
    /** Protection domain of objects that belong to none. */
    static final int NO_DOMAIN = 0;

    /** @param leaving it is being closed on behalf of the program, so it is not a leak, unless closing is refused */
    private record Entry(ObjectKind kind, int domain, boolean leaving) {
        Entry leaving(boolean now) {
            return new Entry(kind, domain, now);
        }
    }

    private final String context;
    private final Map<Handle, Entry> open = new LinkedHashMap<>();

    /** Canonical instances of the values of {@link #open}. */
    private final Map<Entry, Entry> canonical = new LinkedHashMap<>();

    /** Number of objects in each open protection domain. */
    @MutationPoint("open-objects.in-domain")
    private final Map<Integer, Integer> inDomain = new LinkedHashMap<>();

    /** Protection domains of the creations in progress. */
    @MutationPoint("open-objects.under-way")
    private final List<Integer> inProgress = new ArrayList<>();

    private final CompletableFuture<Void> noneInProgress = new CompletableFuture<>();
    /** Open objects that have no key, and therefore no actor. */
    private final Set<Handle> keyless = new LinkedHashSet<>();

    private boolean closing;

    /** @param context its description, for refusals */
    OpenObjects(String context) {
        this.context = context;
    }

    /**
     * Begins a creation, which must {@linkplain #end end}.
     *
     * @throws VerbsException EINVAL if the context or the domain is closed
     */
    @MutationPoint("open-objects.begin")
    synchronized void begin(int domain) {
        checkOpen();
        if (domain != NO_DOMAIN && !inDomain.containsKey(domain)) {
            throw VerbsException.invalid("protection domain " + domain + " is closed");
        }
        inProgress.add(domain);
    }

    synchronized void checkOpen() {
        if (closing) {
            throw closedException();
        }
    }

    synchronized boolean isClosing() {
        return closing;
    }

    VerbsException closedException() {
        return VerbsException.invalid(context + " is closed");
    }

    /** Ends a creation whose result has been added. */
    void end(int domain) {
        boolean last;
        synchronized (this) {
            inProgress.remove((Integer) domain);
            last = closing && inProgress.isEmpty();
        }
        if (last) {
            noneInProgress.complete(null);
        }
    }

    /** Refuses further creations. True for the first call. */
    boolean close() {
        boolean first;
        boolean none;
        synchronized (this) {
            first = !closing;
            closing = true;
            none = inProgress.isEmpty();
        }
        if (none) {
            noneInProgress.complete(null);
        }
        return first;
    }

    /** Returns a stage that completes when creations are refused and those in progress have ended. */
    @MutationPoint("open-objects.none-under-way")
    CompletionStage<Void> noneInProgress() {
        return noneInProgress;
    }

    synchronized void add(Handle handle, ObjectKind kind, int domain) {
        open.put(handle, one(new Entry(kind, domain, false)));
        count(domain, 1);
    }

    /**
     * Adds an object without a domain.
     *
     * @throws VerbsException EINVAL if the context is closed
     */
    synchronized void addOpen(Handle handle, ObjectKind kind) {
        checkOpen();
        add(handle, kind, NO_DOMAIN);
    }

    private Entry one(Entry entry) {
        return canonical.computeIfAbsent(entry, same -> same);
    }

    private void count(int domain, int change) {
        inDomain.computeIfPresent(domain, (same, users) -> users + change);
    }

    /** @throws VerbsException EINVAL if the context is closed */
    synchronized void addDomain(Handle handle, int number) {
        checkOpen();
        inDomain.put(number, 0);
        add(handle, ObjectKind.DOMAIN, NO_DOMAIN);
    }

    /**
     * Removes a domain; returns false if it was not open.
     *
     * @throws VerbsException EBUSY if an object belongs to it; the domain stays
     */
    @MutationPoint("open-objects.remove-domain")
    synchronized boolean removeDomain(Handle handle, int number) {
        if (inDomain.getOrDefault(number, 0) > 0) {
            List<Handle> users = where(entry -> entry.domain == number);
            throw BusyRefusal.because(handle.describe() + " is used by", users, Handle::describe);
        }
        if (inProgress.contains(number)) {
            throw new VerbsException(Errno.EBUSY, handle.describe() + " is used by an object that is being created");
        }
        inDomain.remove(number);
        canonical.keySet().removeIf(entry -> entry.domain == number);
        return open.remove(handle) != null;
    }

    /** Moves an open object to another domain. */
    synchronized void move(Handle handle, int domain) {
        Entry entry = open.get(handle);
        if (entry != null) {
            count(entry.domain, -1);
            open.put(handle, one(new Entry(entry.kind, domain, entry.leaving)));
            count(domain, 1);
        }
    }

    synchronized void lostItsKey(Handle handle) {
        keyless.add(handle);
    }

    /** Removes a closed object; returns false if it was not open. */
    @MutationPoint("open-objects.remove")
    synchronized boolean remove(Handle handle) {
        keyless.remove(handle);
        Entry entry = open.remove(handle);
        if (entry != null) {
            count(entry.domain, -1);
        }
        return entry != null;
    }

    /**
     * Excludes an open object from the leaks; its context still waits for it to close.
     *
     * @return false if it is excluded already, or not open
     */
    synchronized boolean closeBegun(Handle handle) {
        Entry before = open.get(handle);
        open.computeIfPresent(handle, (same, entry) -> one(entry.leaving(true)));
        return before != null && !before.leaving;
    }

    /** Counts it as a leak again because closing was refused, unless it has been closed meanwhile. */
    synchronized void closeRefused(Handle handle) {
        open.computeIfPresent(handle, (same, entry) -> one(entry.leaving(false)));
    }

    synchronized boolean contains(Handle handle) {
        return open.containsKey(handle);
    }

    /** Returns all objects that exist. */
    synchronized List<Handle> existing() {
        return where(entry -> true);
    }

    /** Returns the objects that the program has to close. */
    synchronized List<Handle> all() {
        return where(entry -> !entry.leaving);
    }

    /** Returns the numbers of open objects with an actor by kind; kinds without one are left out. */
    synchronized Map<ObjectKind, Integer> counts() {
        Map<ObjectKind, Integer> counts = new EnumMap<>(ObjectKind.class);
        open.forEach((handle, entry) -> {
            if (!keyless.contains(handle)) {
                counts.merge(entry.kind, 1, Integer::sum);
            }
        });
        return counts;
    }

    synchronized List<Handle> of(ObjectKind kind) {
        return where(entry -> entry.kind == kind);
    }

    private List<Handle> where(Predicate<Entry> requested) {
        return open.entrySet().stream()
                .filter(entry -> requested.test(entry.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Closes all objects of a kind concurrently; an object that refuses stays open. */
    CompletionStage<Void> close(ObjectKind kind) {
        return CompletableFuture.allOf(of(kind).stream()
                .map(OpenObjects::close)
                .map(CompletionStage::toCompletableFuture)
                .toArray(CompletableFuture<?>[]::new));
    }

    /** Tries twice: the refusal may be the reply to an earlier attempt, made before its last user closed. */
    private static CompletionStage<Void> close(Handle handle) {
        return handle.closeAsync()
                .exceptionallyCompose(early -> handle.closeAsync())
                .exceptionally(refused -> null);
    }
}
