// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.recorded;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hcaactors.fabric.packet.Operation.Family;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.recording.RecordedPacket;
import org.hcaactors.fabric.recording.RecordedQueuePair;
import org.hcaactors.fabric.recording.Recording;

/** The requests of one side of a recorded connection, without repetitions. */
final class RecordedMessages {
    /**
     * A request.
     *
     * @param first its first packet
     * @param last its last packet
     * @param bytes its payload; for a READ or an atomic, that of the responses
     */
    record Message(Packet first, Packet last, byte[] bytes) {
        boolean takesReceive() {
            return first.operation().isSend() || last.operation().carriesImmediate();
        }

        boolean isData() {
            return first.operation().isSend() || first.operation().isWrite();
        }
    }

    private final Recording recording;
    private final RecordedQueuePair ends;
    private final boolean ofPeer;

    RecordedMessages(Recording recording, RecordedQueuePair ends, boolean ofPeer) {
        this.recording = recording;
        this.ends = ends;
        this.ofPeer = ofPeer;
    }

    private List<Packet> packets(boolean sentByPeer) {
        return recording.packets().stream()
                .filter(each -> each.ofPeer() == sentByPeer && !each.isDamaged())
                .map(RecordedPacket::packet)
                .filter(packet -> packet.opcode().transport() == ends.transport()
                        && packet.bth().destQp() == (sentByPeer ? ends.number() : ends.peerNumber()))
                .toList();
    }

    List<Message> all() {
        List<Message> messages = new ArrayList<>();
        Optional<Packet> first = Optional.empty();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int next = ofPeer ? ends.peerFirstPsn() : ends.firstPsn();
        for (Packet packet : packets(ofPeer)) {
            if (packet.operation().isResponse() || packet.psn() != next) {
                continue;
            }
            next = Psn.plus(next, spanOf(packet));
            first = packet.operation().starts() ? Optional.of(packet) : first;
            bytes.writeBytes(packet.payload().toArray());
            if (packet.operation().ends()) {
                boolean isData =
                        packet.operation().isSend() || packet.operation().isWrite();
                messages.add(
                        new Message(first.orElseThrow(), packet, isData ? bytes.toByteArray() : responses(packet)));
                bytes.reset();
            }
        }
        return messages;
    }

    private int spanOf(Packet packet) {
        return packet.operation().family() == Family.READ
                ? Psn.packets(packet.reth().lengthUnsigned(), recording.pathMtuBytes())
                : 1;
    }

    private byte[] responses(Packet request) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int end = spanOf(request);
        for (int i = 0; i < end; i++) {
            int psn = Psn.plus(request.psn(), i);
            packets(!ofPeer).stream()
                    .filter(packet -> packet.operation().isReadResponse() && packet.psn() == psn)
                    .findFirst()
                    .ifPresent(packet -> bytes.writeBytes(packet.payload().toArray()));
        }
        return bytes.toByteArray();
    }

    /** Returns the value before an atomic. */
    Optional<Long> original(Packet request) {
        return packets(!ofPeer).stream()
                .filter(packet ->
                        packet.operation().family() == Family.ATOMIC_ACKNOWLEDGE && packet.psn() == request.psn())
                .map(packet -> packet.atomicAckEth().original())
                .findFirst();
    }
}
