package org.hcaactors.adapter.queue;

import java.util.ArrayDeque;
import java.util.Optional;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Psn;

/** What a responder remembers of the last READs and atomics, to answer their duplicates (IBA 9.7.5.1.5). */
final class ReplayRing {
    /** One remembered request. */
    sealed interface Replay {}

    record ReadReplay(int firstPsn, int packets, ExtendedHeader.Reth request) implements Replay {}

    record AtomicReplay(int psn, long original) implements Replay {}

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

    /** The saved result of the atomic with that PSN. */
    Optional<AtomicReplay> atomic(int psn) {
        for (Replay replay : ring) {
            if (replay instanceof AtomicReplay atomic && atomic.psn == psn) {
                return Optional.of(atomic);
            }
        }
        return Optional.empty();
    }

    /** Whether a READ request repeats a remembered one, or the rest of it. */
    boolean repeatsRead(int psn, ExtendedHeader.Reth again, int mtuBytes) {
        for (Replay replay : ring) {
            if (replay instanceof ReadReplay read) {
                int offset = Psn.compare(psn, read.firstPsn);
                long skipped = (long) offset * mtuBytes;
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
