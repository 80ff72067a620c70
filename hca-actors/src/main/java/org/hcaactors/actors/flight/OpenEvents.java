// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.flight;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Events that have begun and not ended, by the id of their beginning. At the limit, new events are rejected and counted rather
 * than old ones replaced, because the old ones may be the slow ones.
 *
 * <p>Threads: any.
 */
final class OpenEvents<E> {
    private final int max;
    private final Map<Long, E> open = new LinkedHashMap<>();
    private long turnedAway;

    OpenEvents(int max) {
        this.max = max;
    }

    synchronized void begun(long number, E event) {
        if (open.size() < max) {
            open.put(number, event);
        } else {
            turnedAway++;
        }
    }

    /** Removes the event, if it is held. */
    synchronized Optional<E> ended(long number) {
        return Optional.ofNullable(open.remove(number));
    }

    /** Forgets all events, because their ends will not be recorded. */
    synchronized void forget() {
        open.clear();
    }

    synchronized int size() {
        return open.size();
    }

    synchronized long turnedAway() {
        return turnedAway;
    }
}
