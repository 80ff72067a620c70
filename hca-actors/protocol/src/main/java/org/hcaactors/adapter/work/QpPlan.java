// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.Optional;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.fabric.flow.Element;

/**
 * Construction plan of a queue pair.
 *
 * @param user its number, 24 bits, and that of its protection domain
 * @param receives source of its receives
 * @param capacity queue lengths, each a power of two or 0
 * @param options other creation options
 * @param port the adapter's port
 * @param atomics the adapter's unit for atomics
 * @param session the DC session that it serves, if it is a DC responder
 */
public record QpPlan(
        QueuePairKind kind,
        KeyUser user,
        ReceiveSource receives,
        QpCapacity capacity,
        QpDescription.Options options,
        LocalPort port,
        Profile profile,
        AtomicUnit atomics,
        Optional<Session> session) {
    /** Creates the plan of a queue pair that is no DC responder. */
    public QpPlan(
            QueuePairKind kind,
            KeyUser user,
            ReceiveSource receives,
            QpCapacity capacity,
            QpDescription.Options options,
            LocalPort port,
            Profile profile,
            AtomicUnit atomics) {
        this(kind, user, receives, capacity, options, port, profile, atomics, Optional.empty());
    }

    /**
     * A session of a DC target with one of its peers; the queue pair is the target's responder.
     *
     * @param id session number that packets carry, 24 bits
     * @param channel channel of the peer
     * @param flags flags of {@link org.hcaactors.fabric.packet.ExtendedHeader.DcEth}
     * @param idleNanos maximum silence of the peer
     */
    public record Session(int id, int channel, int flags, long idleNanos) {}

    public QpType type() {
        return kind.type();
    }

    public PageWaits pageWaits() {
        return PageWaits.of(profile.paging(), kind.pagingTransport());
    }

    /** Returns the session that it serves; only of a DC responder. */
    public Session served() {
        return session.orElseThrow();
    }

    /** The queue pair as the trace names it. */
    public Element element() {
        return kind.element(this);
    }

    public int number() {
        return user.queuePair();
    }

    /** The queue pair as messages name it. */
    @Override
    public String toString() {
        return "queue pair " + number();
    }

    public int domain() {
        return user.domain();
    }
}
