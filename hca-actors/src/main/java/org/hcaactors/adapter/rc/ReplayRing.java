// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import java.util.ArrayDeque;
import java.util.Optional;
import org.hcaactors.fabric.packet.ExtendedHeader;

/**
 * What a responder remembers of the last READs and atomics, to answer their duplicates (rule rc-replay-ring; IBA
 * 9.7.5.1.5). They are known by their position among all PSNs of the connection, since a PSN comes back after 2^24.
 */
final class ReplayRing {
    /** One remembered request. */
    sealed interface Replay {}

    record ReadReplay(long first, int packets, ExtendedHeader.Reth request) implements Replay {}

    record AtomicReplay(long position, long original) implements Replay {}

    private final ArrayDeque<Replay> ring = new ArrayDeque<>();

    /** @param capacity the responder resources of the connection, at least 1 */
    void remember(Replay replay, int capacity) {
        while (ring.size() >= capacity) {
            ring.remove();
        }
        ring.add(replay);
    }

    void clear() {
        ring.clear();
    }

    /** The saved result of the atomic that was executed there. */
    Optional<AtomicReplay> atomic(long position) {
        for (Replay replay : ring) {
            if (replay instanceof AtomicReplay atomic && atomic.position == position) {
                return Optional.of(atomic);
            }
        }
        return Optional.empty();
    }

    /** Whether a READ request repeats a remembered one, or the rest of it (rule rc-duplicate-read). */
    boolean repeatsRead(long position, ExtendedHeader.Reth again, int mtuBytes) {
        for (Replay replay : ring) {
            if (replay instanceof ReadReplay read) {
                long offset = position - read.first;
                long skipped = offset * mtuBytes;
                if (offset >= 0
                        && offset < read.packets
                        && again.rkey() == read.request.rkey()
                        && again.address() == read.request.address() + skipped
                        && again.lengthUnsigned() <= read.request.lengthUnsigned() - skipped) {
                    return true;
                }
            }
        }
        return false;
    }
}
