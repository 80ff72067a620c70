// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;

/**
 * Actions of the real responder's host before a request arrived, inferred from the capture: receives, keys, and memory
 * contents.
 */
final class InferredHostActions {
    private static final int MAX_BUFFER_BYTES = 1 << 20;

    /** Previous contents of a piece of memory. */
    record Stored(int key, long address, byte[] bytes) {}

    private final PacketDirection direction;
    private final LaterEvidence laterEvidence;
    private final Notes notes;
    private final SharedMemoryWords shared;
    private final StandaloneQueuePair qp;
    private final Host host;
    private final ComparisonBuilder tally;
    private final int bufferBytes;
    private int receives;

    InferredHostActions(
            PacketDirection direction,
            LaterEvidence laterEvidence,
            Notes notes,
            SharedMemoryWords shared,
            StandaloneQueuePair qp,
            Host host,
            ComparisonBuilder tally) {
        this.direction = direction;
        this.laterEvidence = laterEvidence;
        this.notes = notes;
        this.shared = shared;
        this.qp = qp;
        this.host = host;
        this.tally = tally;
        bufferBytes = bufferBytes(direction);
    }

    /** Returns a size that no message exceeds, or the maximum size of a receive. */
    static int bufferBytes(PacketDirection direction) {
        long bytes = 0;
        for (CapturedPacket request : direction.requests()) {
            bytes += request.packet().payload().length();
        }
        return (int) Math.min(MAX_BUFFER_BYTES, bytes);
    }

    /** Called after a reset, which removes posted receives. */
    void reset() {
        receives = qp.receiveCompletions().size();
    }

    /**
     * @param request next in order
     * @param answer response that shows that it arrived; empty at the end of a capture
     */
    void before(CapturedPacket request, Optional<CapturedPacket> answer) {
        Packet packet = request.packet();
        Optional<CapturedPacket> refusal = answer.filter(one -> one.isRefusal() && one.psn() == request.psn());
        switch (packet.operation().family()) {
            case SEND -> {
                if (packet.operation().starts()) {
                    receive(request, refusal);
                }
            }
            case SEND_WITH_INVALIDATE -> {
                if (packet.operation().starts()) {
                    receive(request, refusal);
                }
                key(request, packet.ieth().rkey(), refusal);
                host.invalidated(packet.ieth().rkey());
            }
            case WRITE -> {
                if (packet.operation().carriesImmediate()) {
                    receive(request, refusal);
                }
                if (packet.operation().starts()) {
                    key(request, packet.reth().rkey(), refusal);
                }
            }
            case READ -> {
                key(request, packet.reth().rkey(), refusal);
                readData(request, answer);
            }
            case ATOMIC -> {
                key(request, packet.atomicEth().rkey(), refusal);
                original(request, packet.atomicEth(), answer);
            }
            case READ_RESPONSE, ATOMIC_ACKNOWLEDGE, ACKNOWLEDGE, NOTIFY, SESSION -> {}
        }
    }

    /**
     * Sets the memory for a READ that is answered again; it reads the current contents. The response may be an old, delayed
     * one, so the contents for later requests must be restored.
     *
     * @return the replaced contents, to be restored
     */
    List<Stored> beforeAgain(CapturedPacket request, Optional<CapturedPacket> answer) {
        return request.operation() == Operation.READ_REQUEST ? readData(request, answer) : List.of();
    }

    void putBack(List<Stored> before) {
        before.reversed().forEach(stored -> host.write(stored.key, stored.address, stored.bytes));
    }

    private void receive(CapturedPacket request, Optional<CapturedPacket> refusal) {
        int syndrome = syndrome(refusal);
        if (refusal.isPresent() && Syndrome.isRnr(syndrome)) {
            tally.takenFromCapture(TakenFromCapture.NO_RECEIVE);
            return;
        }
        if (receives > qp.receiveCompletions().size()) {
            return;
        }
        int bytes = bufferBytes;
        if (syndrome == Syndrome.NAK_REMOTE_OPERATION) {
            tally.takenFromCapture(TakenFromCapture.SHORT_RECEIVE);
            bytes = Math.max(0, request.packet().payload().length() - 1);
        }
        receives++;
        qp.postReceive(Receive.of(request.frame(), host.buffer(bytes)));
    }

    private static int syndrome(Optional<CapturedPacket> refusal) {
        return refusal.map(nak -> nak.packet().aeth().syndrome()).orElse(Syndrome.ACK);
    }

    /** A known key that is refused has lost its access rights; unknown keys are refused by the machine itself. */
    private void key(CapturedPacket request, int key, Optional<CapturedPacket> refusal) {
        boolean denied = syndrome(refusal) == Syndrome.NAK_REMOTE_ACCESS;
        boolean known = host.knows(key) || notes.keys(direction.responder()).contains(key) && !host.isInvalidated(key);
        if (denied && known) {
            tally.takenFromCapture(TakenFromCapture.KEY_GONE);
            host.forget(key);
        } else if (host.knows(key)) {
            laterEvidence
                    .firstUse(key)
                    .filter(first -> first == request)
                    .ifPresent(first -> tally.takenFromCapture(TakenFromCapture.KEY));
        }
    }

    /** @return the replaced contents */
    private List<Stored> readData(CapturedPacket request, Optional<CapturedPacket> answer) {
        ExtendedHeader.Reth reth = request.packet().reth();
        if (!host.knows(reth.rkey())) {
            return List.of();
        }
        List<Stored> before = new ArrayList<>();
        for (CapturedPacket response : laterEvidence.responses(request, from(request, answer), tally.effort())) {
            long at = reth.address()
                    + (long) Psn.compare(response.psn(), request.psn())
                            * direction.mtu().bytes();
            byte[] data = response.packet().payload().toArray();
            host.read(reth.rkey(), at, data.length).ifPresent(old -> before.add(new Stored(reth.rkey(), at, old)));
            host.write(reth.rkey(), at, data);
        }
        return before;
    }

    private static int from(CapturedPacket request, Optional<CapturedPacket> answer) {
        return answer.map(CapturedPacket::frame).orElse(request.frame());
    }

    /**
     * Takes unknown values from the capture: the first value of a word, and every value of a word that others change as well.
     */
    private void original(CapturedPacket request, ExtendedHeader.AtomicEth atomic, Optional<CapturedPacket> answer) {
        Optional<CapturedPacket> response = laterEvidence.atomicResponse(request, from(request, answer));
        boolean unknown = shared.includes(atomic.address())
                || laterEvidence
                        .firstAtomicAt(atomic)
                        .filter(one -> one == request)
                        .isPresent();
        if (response.isEmpty() || !unknown || !host.knows(atomic.rkey())) {
            return;
        }
        tally.takenFromCapture(TakenFromCapture.ATOMIC_ORIGINAL);
        byte[] word = ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(response.get().packet().atomicAckEth().original())
                .array();
        host.write(atomic.rkey(), atomic.address(), word);
    }
}
