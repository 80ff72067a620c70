// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.TransportClass;

/** Why a packet is not for the queue pair that it came to. */
public sealed interface Stray extends Reason {
    record TransportVersion(int version) implements Stray {}

    record ForeignClass(Opcode opcode, TransportClass own) implements Stray {}

    record WrongState(QpState state) implements Stray {}

    /** A response before anything may have been sent. */
    record ResponseInState(QpState state) implements Stray {}

    record Pkey(int pkey, int own) implements Stray {}

    record Qkey(int qkey, int own) implements Stray {}

    /** A request to a queue pair that takes none. */
    record RequestToNoTarget() implements Stray {}

    /** A response to a queue pair that asks for nothing. */
    record ResponseToNoInitiator() implements Stray {}

    record NotThePeer(PortAddress source) implements Stray {}
}
