// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * The last READs and atomics of a responder, kept to answer their duplicates (rule rc-replay-ring; IBA 9.7.5.1.5). They are
 * identified by their position among all PSNs of the connection, since a PSN recurs after 2^24 packets.
 */
final class ReplayRing {
    /** One remembered request. */
    sealed interface Replay {}

    /** @param memory access to the memory that is read */
    record ReadReplay(long first, int packets, ExtendedHeader.Reth request, LocalMemory memory) implements Replay {}

    record AtomicReplay(long position, AtomicValue original) implements Replay {}

    /** Null until the first READ or atomic, since most connections never answer one. */
    @MutationPoint("replay-ring.ring")
    private @Nullable ArrayDeque<Replay> ring;

    /** @param capacity responder resources of the connection, at least 1 */
    void remember(Replay replay, int capacity) {
        if (ring == null) {
            ring = new ArrayDeque<>(capacity);
        }
        while (ring.size() >= capacity) {
            ring.remove();
        }
        ring.add(replay);
    }

    @MutationPoint("replay-ring.clear")
    void clear() {
        ring = null;
    }

    private Iterable<Replay> remembered() {
        return ring == null ? List.of() : ring;
    }

    /** Returns the saved result of the atomic at that position. */
    Optional<AtomicReplay> atomic(long position) {
        for (Replay replay : remembered()) {
            if (replay instanceof AtomicReplay atomic && atomic.position == position) {
                return Optional.of(atomic);
            }
        }
        return Optional.empty();
    }

    /** Returns the READ that a request repeats, in whole or from a later packet on (rule rc-duplicate-read). */
    @MutationPoint("replay-ring.read")
    Optional<ReadReplay> read(long position, ExtendedHeader.Reth again, int mtuBytes) {
        for (Replay replay : remembered()) {
            if (replay instanceof ReadReplay read) {
                long offset = position - read.first;
                long skipped = offset * mtuBytes;
                if (offset >= 0
                        && offset < read.packets
                        && again.rkey() == read.request.rkey()
                        && again.address() == read.request.address() + skipped
                        && again.lengthUnsigned() <= read.request.lengthUnsigned() - skipped) {
                    return Optional.of(read);
                }
            }
        }
        return Optional.empty();
    }
}
