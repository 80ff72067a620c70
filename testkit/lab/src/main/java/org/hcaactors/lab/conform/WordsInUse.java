package org.hcaactors.lab.conform;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hcaactors.fabric.packet.Operation.Family;

/**
 * Words that other queue pairs reach, too: what an atomic finds there is not of its own connection's making.
 *
 * @param addresses at the responder
 */
record WordsInUse(Set<Long> addresses) {
    WordsInUse {
        addresses = Set.copyOf(addresses);
    }

    /** The words on which other conversations with the same responder carry out atomics. */
    static WordsInUse byOthersThan(Leg leg, List<Leg> all) {
        Set<Long> addresses = new HashSet<>();
        for (Leg other : all) {
            boolean same = other.responderQp() == leg.responderQp()
                    && other.requester().equals(leg.requester());
            if (!same && other.responder().equals(leg.responder())) {
                other.requests().stream()
                        .filter(request ->
                                request.isIntact() && request.operation().family() == Family.ATOMIC)
                        .forEach(request ->
                                addresses.add(request.packet().atomicEth().address()));
            }
        }
        return new WordsInUse(addresses);
    }

    boolean includes(long address) {
        return addresses.contains(address);
    }
}
