// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.End;
import org.hcaactors.lab.pair.Side;

/**
 * One end of a ping-pong over a cable, in a process of its own: a queue pair and two buffers, 0 and 1. At most one message is on
 * its way in each direction. One thread.
 */
final class PingPongEnd implements AutoCloseable {
    /** The classic programs have one READ outstanding, and use none. */
    private static final int RD_ATOMIC = 1;

    private final Station station;
    private final PingPongTerms terms;
    private final HostProcess process;
    private final Inbox inbox;
    private final Side side;
    private final UnconnectedQp qp;
    private Optional<End> connected = Optional.empty();
    private OptionalInt received = OptionalInt.empty();
    private boolean sending;

    private PingPongEnd(Station station, PingPongTerms terms, HostProcess process) {
        this.station = station;
        this.terms = terms;
        this.process = process;
        side = Side.within(station.network(), process.open().allocatePd(), 2L * slotBytes());
        inbox = new Inbox(station.network().await(side.context().createCq(16)));
        QpCapacity capacity = QpCapacity.of(4).withMaxSge(1).withMaxInlineBytes(0);
        qp = UnconnectedQp.create(station.network(), side, terms.transport(), terms.mtu(), inbox.queue(), capacity);
    }

    /** @param name of the process that is started */
    static PingPongEnd open(Station station, PingPongTerms terms, String name) {
        HostProcess process = station.adapter().process(name);
        try {
            return new PingPongEnd(station, terms, process);
        } catch (RuntimeException refused) {
            process.close();
            throw refused;
        }
    }

    QpAddress address() {
        return QpAddress.of(station.adapter().gid(), qp.qp().number(), qp.firstPsn());
    }

    /** Connects to a peer and posts the first receive, to buffer 0. */
    void connect(QpAddress peer) throws PeerException {
        station.checkPeer(peer);
        connected = Optional.of(qp.connecting().to(peer, RD_ATOMIC));
        receive(0);
    }

    private int headroomBytes() {
        return terms.transport().headroomBytes();
    }

    private int slotBytes() {
        return headroomBytes() + terms.bytes();
    }

    private long messageAt(int buffer) {
        return (long) buffer * slotBytes() + headroomBytes();
    }

    private End end() {
        return connected.orElseThrow();
    }

    void receive(int buffer) {
        end().postReceive(Receive.of(buffer, side.slice((long) buffer * slotBytes(), slotBytes())));
    }

    /** Sends the first bytes of a buffer's message. */
    void send(int buffer, int bytes) {
        sending = true;
        end().post(Send.of(buffer, side.slice(messageAt(buffer), bytes)).withSignaled());
    }

    void write(int buffer, byte[] message) {
        side.memory().write(messageAt(buffer), message);
    }

    byte[] read(int buffer, int bytes) {
        return side.memory().read(messageAt(buffer), bytes);
    }

    /**
     * Waits until a message is here and the last one of this end is complete.
     *
     * @return its length; empty if nothing happens for that time
     * @throws PeerException if a request failed
     */
    OptionalInt await(Duration silence) throws PeerException, InterruptedException {
        while (received.isEmpty() || sending) {
            if (!takeNext(silence)) {
                return OptionalInt.empty();
            }
        }
        OptionalInt length = received;
        received = OptionalInt.empty();
        return length;
    }

    /** Waits until the last message of this end is complete, or nothing happens for that time. */
    void awaitSent(Duration silence) throws PeerException, InterruptedException {
        boolean goesOn = true;
        while (sending && goesOn) {
            goesOn = takeNext(silence);
        }
    }

    private boolean takeNext(Duration silence) throws PeerException, InterruptedException {
        Optional<WorkCompletion> next = inbox.next(silence);
        if (next.isPresent()) {
            take(next.get());
        }
        return next.isPresent();
    }

    private void take(WorkCompletion completion) throws PeerException {
        if (!completion.isSuccess()) {
            throw new PeerException(failure(completion));
        }
        if (completion.kind() == CompletionKind.RECV) {
            received = OptionalInt.of((int) completion.lengthBytes() - headroomBytes());
        } else {
            sending = false;
        }
    }

    private String failure(WorkCompletion completion) {
        return switch (completion.status()) {
            case RETRY_EXC_ERR -> "it does not acknowledge any more: a SEND ended with RETRY_EXC_ERR";
            case LOC_LEN_ERR ->
                "it sent a message of more than " + terms.bytes() + " bytes: a receive ended with LOC_LEN_ERR";
            default -> "a request ended with " + completion.status();
        };
    }

    @Override
    public void close() {
        process.close();
    }
}
