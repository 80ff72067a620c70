package org.hcaactors.adapter.device;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hcaactors.api.handle.Handle;

/** What one context has created and not closed, in the order of creation. Any thread. */
final class OpenObjects {
    /** In the order in which a context closes them. */
    enum Kind {
        QUEUE_PAIR,
        SHARED_RECEIVE_QUEUE,
        REGION,
        COMPLETION_QUEUE,
        CHANNEL,
        DOMAIN
    }

    /** The protection domain of what belongs to none. */
    static final int NO_DOMAIN = 0;

    private record Place(Kind kind, int domain) {}

    private final Map<Handle, Place> open = new LinkedHashMap<>();

    synchronized void add(Handle handle, Kind kind, int domain) {
        open.put(handle, new Place(kind, domain));
    }

    synchronized void remove(Handle handle) {
        open.remove(handle);
    }

    synchronized List<Handle> all() {
        return List.copyOf(open.keySet());
    }

    synchronized List<Handle> of(Kind kind) {
        return open.entrySet().stream()
                .filter(entry -> entry.getValue().kind == kind)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** What belongs to a protection domain, itself not counted. */
    synchronized List<Handle> usersOf(int domain) {
        return open.entrySet().stream()
                .filter(entry -> entry.getValue().domain == domain && entry.getValue().kind != Kind.DOMAIN)
                .map(Map.Entry::getKey)
                .toList();
    }
}
