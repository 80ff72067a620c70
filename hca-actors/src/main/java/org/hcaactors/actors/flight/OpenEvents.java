// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.flight;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What has begun and not ended, by the number of its beginning. Where as many are held as can be, what begins next is turned
 * away and counted: what is held already may be what waits for long.
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

    /** It ends, if it is held. */
    synchronized Optional<E> ended(long number) {
        return Optional.ofNullable(open.remove(number));
    }

    /** Nobody tells any more of how they end. */
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
