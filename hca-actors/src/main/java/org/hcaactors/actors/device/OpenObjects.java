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

/** What one context is creating, or has created and not closed, in the order of creation. Any thread. */
final class OpenObjects {
    /** The protection domain of what belongs to none. */
    static final int NO_DOMAIN = 0;

    /** @param leaving it is being closed for the program, which did not leave it open, unless that is refused */
    private record Place(ObjectKind kind, int domain, boolean leaving) {
        Place leaving(boolean now) {
            return new Place(kind, domain, now);
        }
    }

    private final String context;
    private final Map<Handle, Place> open = new LinkedHashMap<>();

    /** Those of {@link #open}: of many alike there is one. */
    private final Map<Place, Place> places = new LinkedHashMap<>();

    /** Of each protection domain that is open, how many belong to it. */
    @MutationPoint("open-objects.in-domain")
    private final Map<Integer, Integer> inDomain = new LinkedHashMap<>();

    /** Of each creation that is under way, the protection domain. */
    @MutationPoint("open-objects.under-way")
    private final List<Integer> underWay = new ArrayList<>();

    private final CompletableFuture<Void> noneUnderWay = new CompletableFuture<>();
    /** Those that are open and have no key, and so no actor. */
    private final Set<Handle> keyless = new LinkedHashSet<>();

    private boolean closing;

    /** @param context what it is, for refusals */
    OpenObjects(String context) {
        this.context = context;
    }

    /** A creation begins, and must {@linkplain #end end}. VerbsException (EINVAL) if the context or the domain is closed. */
    @MutationPoint("open-objects.begin")
    synchronized void begin(int domain) {
        checkOpen();
        if (domain != NO_DOMAIN && !inDomain.containsKey(domain)) {
            throw VerbsException.invalid("protection domain " + domain + " is closed");
        }
        underWay.add(domain);
    }

    synchronized void checkOpen() {
        if (closing) {
            throw closed();
        }
    }

    synchronized boolean isClosing() {
        return closing;
    }

    VerbsException closed() {
        return VerbsException.invalid(context + " is closed");
    }

    /** What came of the creation has been added. */
    void end(int domain) {
        boolean last;
        synchronized (this) {
            underWay.remove((Integer) domain);
            last = closing && underWay.isEmpty();
        }
        if (last) {
            noneUnderWay.complete(null);
        }
    }

    /** No creation begins any more. True for the first who says so. */
    boolean close() {
        boolean first;
        boolean none;
        synchronized (this) {
            first = !closing;
            closing = true;
            none = underWay.isEmpty();
        }
        if (none) {
            noneUnderWay.complete(null);
        }
        return first;
    }

    /** Done when no creation begins any more and those that were under way have ended. */
    @MutationPoint("open-objects.none-under-way")
    CompletionStage<Void> noneUnderWay() {
        return noneUnderWay;
    }

    synchronized void add(Handle handle, ObjectKind kind, int domain) {
        open.put(handle, one(new Place(kind, domain, false)));
        count(domain, 1);
    }

    private Place one(Place place) {
        return places.computeIfAbsent(place, same -> same);
    }

    private void count(int domain, int change) {
        inDomain.computeIfPresent(domain, (same, users) -> users + change);
    }

    /** VerbsException (EINVAL) if the context is closed. */
    synchronized void addDomain(Handle handle, int number) {
        checkOpen();
        inDomain.put(number, 0);
        add(handle, ObjectKind.DOMAIN, NO_DOMAIN);
    }

    /** VerbsException (EBUSY), and it stays, while something belongs to it. */
    @MutationPoint("open-objects.remove-domain")
    synchronized void removeDomain(Handle handle, int number) {
        if (inDomain.getOrDefault(number, 0) > 0) {
            List<Handle> users = where(place -> place.domain == number);
            throw BusyRefusal.because(handle.describe() + " is used by", users, Handle::describe);
        }
        if (underWay.contains(number)) {
            throw new VerbsException(Errno.EBUSY, handle.describe() + " is used by what is being created");
        }
        inDomain.remove(number);
        places.keySet().removeIf(place -> place.domain == number);
        open.remove(handle);
    }

    /** Belongs to another domain from now on, if it is open. */
    synchronized void move(Handle handle, int domain) {
        Place place = open.get(handle);
        if (place != null) {
            count(place.domain, -1);
            open.put(handle, one(new Place(place.kind, domain, place.leaving)));
            count(domain, 1);
        }
    }

    synchronized void lostItsKey(Handle handle) {
        keyless.add(handle);
    }

    @MutationPoint("open-objects.remove")
    synchronized void remove(Handle handle) {
        keyless.remove(handle);
        Place place = open.remove(handle);
        if (place != null) {
            count(place.domain, -1);
        }
    }

    /** Is no leak from now on, if it is open; its context waits for it as for the others. */
    synchronized void leaves(Handle handle) {
        open.computeIfPresent(handle, (same, place) -> one(place.leaving(true)));
    }

    /** Was refused to leave: is the program's, if it has not been closed meanwhile. */
    synchronized void stays(Handle handle) {
        open.computeIfPresent(handle, (same, place) -> one(place.leaving(false)));
    }

    synchronized boolean contains(Handle handle) {
        return open.containsKey(handle);
    }

    /** What the program has to close. */
    synchronized List<Handle> all() {
        return where(place -> !place.leaving);
    }

    /** How many of each kind are open and at the adapter; kinds of which none is are left out. */
    synchronized Map<ObjectKind, Integer> counts() {
        Map<ObjectKind, Integer> counts = new EnumMap<>(ObjectKind.class);
        open.forEach((handle, place) -> {
            if (!keyless.contains(handle)) {
                counts.merge(place.kind, 1, Integer::sum);
            }
        });
        return counts;
    }

    synchronized List<Handle> of(ObjectKind kind) {
        return where(place -> place.kind == kind);
    }

    private List<Handle> where(Predicate<Place> requested) {
        return open.entrySet().stream()
                .filter(entry -> requested.test(entry.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Closes all of a kind at once; what refuses stays. */
    CompletionStage<Void> close(ObjectKind kind) {
        return CompletableFuture.allOf(of(kind).stream()
                .map(OpenObjects::close)
                .map(CompletionStage::toCompletableFuture)
                .toArray(CompletableFuture<?>[]::new));
    }

    /** A refusal may be the answer to whoever asked before its last user went: it is asked again. */
    private static CompletionStage<Void> close(Handle handle) {
        return handle.closeAsync()
                .exceptionallyCompose(early -> handle.closeAsync())
                .exceptionally(refused -> null);
    }
}
