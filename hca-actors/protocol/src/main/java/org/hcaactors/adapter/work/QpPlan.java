// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.Optional;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.api.capability.PagingCapabilities.Transport;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.fabric.flow.Element;

/**
 * What a queue pair is made with.
 *
 * @param user its number, of 24 bits, and that of its protection domain
 * @param receives where its receives come from
 * @param capacity with both queue lengths powers of two, or 0
 * @param options what else it is
 * @param port the adapter's
 * @param atomics where the adapter carries them out
 * @param session that it serves, where it is a responder
 */
public record QpPlan(
        QpType type,
        KeyUser user,
        Receives receives,
        QpCapacity capacity,
        QpDescription.Options options,
        LocalPort port,
        Profile profile,
        AtomicUnit atomics,
        Optional<Session> session) {
    /** One that has a life of its own. */
    public QpPlan(
            QpType type,
            KeyUser user,
            Receives receives,
            QpCapacity capacity,
            QpDescription.Options options,
            LocalPort port,
            Profile profile,
            AtomicUnit atomics) {
        this(type, user, receives, capacity, options, port, profile, atomics, Optional.empty());
    }

    /**
     * Of a dynamically connected target and one of its peers: the queue pair is its responder.
     *
     * @param id that packets carry, 24 bits
     * @param channel of the peer
     * @param flags of {@link org.hcaactors.fabric.packet.ExtendedHeader.DcEth}
     * @param idleNanos its peer may be silent for so long
     */
    public record Session(int id, int channel, int flags, long idleNanos) {}

    /** Where receives come from. */
    public sealed interface Receives {
        Receives OWN = new Own();
        Receives NAMED = new Named();

        /** They are taken from a queue that others take from, too, one a message. */
        default boolean shared() {
            return !(this instanceof Own || this instanceof FetchingFor);
        }

        /** The adapter may ask for something by itself. */
        default boolean mayFetch() {
            return this instanceof Tagged || this instanceof FetchingFor;
        }
    }

    /** From a queue of its own. */
    public record Own() implements Receives {}

    /**
     * From a shared receive queue.
     *
     * @param domain whose keys the buffers need
     */
    public record Shared(int number, int domain) implements Receives {}

    /**
     * From a shared receive queue that compares tags.
     *
     * @param domain whose keys the buffers need
     * @param hasInitiator which fetches for messages over DC
     */
    public record Tagged(int number, int domain, boolean hasInitiator) implements Receives {}

    // rule rendezvous-dc
    /** Nowhere: it is the initiator of the tag-matching queue of that number. */
    public record FetchingFor(int number) implements Receives {}

    /** From the shared receive queue that each request names. */
    public record Named() implements Receives {}

    public PageWaits pageWaits() {
        return PageWaits.of(
                profile.paging(),
                switch (type) {
                    case RC -> Transport.RC;
                    case UC -> Transport.UC;
                    case UD -> Transport.UD;
                    case XRC_INI, XRC_TGT -> Transport.XRC;
                    case DC_INI, DC_TGT -> Transport.DC;
                });
    }

    /** As the trace calls it. */
    public Element element() {
        return session.map(served -> Element.responder(served.id)).orElseGet(() -> Element.queuePair(user.queuePair()));
    }

    public int number() {
        return user.queuePair();
    }

    /** As people call it. */
    @Override
    public String toString() {
        return "queue pair " + number();
    }

    public int domain() {
        return user.domain();
    }
}
