// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.cm;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

// rule cm-listen
/** Listeners of one adapter, each with the number of requests that wait for its program. */
final class CmListeners {
    private static final class Listener {
        private final int backlog;
        private int waiting;

        Listener(int backlog) {
            this.backlog = backlog;
        }
    }

    private final Map<Long, Listener> listeners = new LinkedHashMap<>();

    /** True if nothing listened there. */
    boolean listen(long service, int backlog) {
        return listeners.putIfAbsent(service, new Listener(backlog)) == null;
    }

    void unlisten(long service) {
        listeners.remove(service);
    }

    boolean listens(long service) {
        return listeners.containsKey(service);
    }

    /** True if one more request may wait. */
    boolean hasRoom(long service) {
        Listener listener = listeners.get(service);
        return listener != null && listener.waiting < listener.backlog;
    }

    void waits(long service) {
        count(service, 1);
    }

    /** A request waits no longer. */
    void decided(long service) {
        count(service, -1);
    }

    private void count(long service, int change) {
        @Nullable Listener listener = listeners.get(service);
        if (listener != null) {
            listener.waiting += change;
        }
    }
}
