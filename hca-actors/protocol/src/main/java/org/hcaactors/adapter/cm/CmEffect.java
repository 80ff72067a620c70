// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.cm;

import java.util.Optional;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.mad.CmMessage.ConnectReply;
import org.hcaactors.fabric.mad.CmMessage.ConnectRequest;
import org.hcaactors.fabric.mad.CmMessage.ServiceReply;
import org.hcaactors.fabric.mad.CmMessage.ServiceRequest;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.PortAddress;

/** A datagram that communication management sends, or a report to its program. A connection is named by its local communication ID. */
public sealed interface CmEffect {
    /**
     * A datagram leaves.
     *
     * @param from address of this end by which the peer knows the connection; empty if there is none
     */
    record Send(Optional<PortAddress> from, PortAddress to, CmDatagram datagram) implements CmEffect {
        Send(PortAddress to, CmDatagram datagram) {
            this(Optional.empty(), to, datagram);
        }
    }

    /** Something is counted. */
    record Counted(Counter counter) implements CmEffect {}

    /** The message that has arrived is dropped: a REQ to a listener whose backlog is full. */
    record Dropped() implements CmEffect {}

    /** Report about a connection. */
    sealed interface OfConnection extends CmEffect {
        int commId();
    }

    /** A peer asks a listener for a connection: the program accepts or rejects it. */
    record Requested(int commId, PortAddress from, ConnectRequest request) implements OfConnection {}

    /** The peer no longer wants the connection that the program has not decided about. */
    record Withdrawn(int commId) implements OfConnection {}

    /** The peer accepted: the program moves its queue pair to RTS and calls {@link CmAgent#ready}. */
    record Accepted(int commId, ConnectReply reply) implements OfConnection {}

    /** Both ends can send. */
    record Established(int commId) implements OfConnection {}

    /**
     * The connection was not made, or its establishment was taken back.
     *
     * @param reason code, see {@link org.hcaactors.fabric.mad.RejectReason}
     */
    record Rejected(int commId, int reason, Octets information, Octets privateData) implements OfConnection {}

    /** The peer did not answer; all repetitions are used up. */
    record Unanswered(int commId, CmState in) implements OfConnection {}

    /**
     * An established connection has ended, or one whose reply this end has {@linkplain Accepted accepted}.
     *
     * @param byPeer the peer asked for it
     * @param privateData data of the peer's message; empty without one
     */
    record Disconnected(int commId, boolean byPeer, Octets privateData) implements OfConnection {}

    /** The connection is forgotten: its queue pair can be used again. */
    record Released(int commId) implements OfConnection {}

    /**
     * A peer asks for a datagram service: the program answers.
     *
     * @param id for {@link CmAgent#answerService}
     */
    record ServiceRequested(int id, PortAddress from, ServiceRequest request) implements CmEffect {}

    /** A peer has answered a request for a datagram service. */
    record ServiceAnswered(int requestId, ServiceReply reply) implements CmEffect {}

    /** No peer has answered a request for a datagram service; all repetitions are used up. */
    record ServiceUnanswered(int requestId) implements CmEffect {}
}
