// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.End;
import org.hcaactors.lab.pair.Side;

/**
 * One end of a ping-pong over several queue pairs of RC with one shared receive queue, in a process of its own. It has buffers,
 * numbered from 0, that are sent from or received to. One thread.
 */
final class SrqPingPongEnd implements AutoCloseable {
    /** The classic program has one READ outstanding, and uses none. */
    private static final int RD_ATOMIC = 1;

    private static final int SENDS = 4;

    private final Station station;
    private final PingPongTerms terms;
    private final HostProcess process;
    private final Inbox inbox;
    private final Side side;
    private final SharedReceiveQueue srq;
    private final List<UnconnectedQp> created = new ArrayList<>();
    private final List<End> ends = new ArrayList<>();
    private final Map<Integer, Integer> indices = new LinkedHashMap<>();

    /** Something that happened at a queue pair, given by its index. */
    sealed interface Step {}

    /** A message is in a buffer. */
    record Arrived(int queuePair, int buffer, int bytes) implements Step {}

    /** A message has left a buffer, and is acknowledged. */
    record Sent(int queuePair, int buffer) implements Step {}

    /** The peer acknowledges nothing any more. */
    record Gone() implements Step {}

    private SrqPingPongEnd(Station station, PingPongTerms terms, HostProcess process, int queuePairs, int buffers) {
        this.station = station;
        this.terms = terms;
        this.process = process;
        side = Side.within(
                station.network(), process.open().allocatePd(), Math.max(1L, (long) buffers * terms.bytes()));
        inbox = new Inbox(station.network().await(side.context().createCq(buffers + queuePairs * SENDS)));
        srq = station.network()
                .await(side.domain().createSrq(SrqDescription.of(buffers).withMaxSge(1)));
        QpCapacity capacity = QpCapacity.of(SENDS).withMaxSge(1).withMaxInlineBytes(0);
        for (int i = 0; i < queuePairs; i++) {
            UnconnectedQp qp =
                    UnconnectedQp.sharing(station.network(), side, terms.mtu(), srq, inbox.queue(), capacity);
            indices.put(qp.qp().number(), i);
            created.add(qp);
        }
    }

    /** @param name of the process that is started */
    static SrqPingPongEnd open(Station station, PingPongTerms terms, String name, int queuePairs, int buffers) {
        HostProcess process = station.adapter().process(name);
        try {
            return new SrqPingPongEnd(station, terms, process, queuePairs, buffers);
        } catch (RuntimeException refused) {
            process.close();
            throw refused;
        }
    }

    List<QpAddress> addresses() {
        return created.stream()
                .map(each -> QpAddress.of(station.adapter().gid(), each.qp().number(), each.firstPsn()))
                .toList();
    }

    /** Connects each queue pair to the peer's of the same index. */
    void connect(List<QpAddress> peers) throws PeerException {
        for (QpAddress peer : peers) {
            station.checkPeer(peer);
        }
        for (int i = 0; i < peers.size(); i++) {
            ends.add(created.get(i).connecting().to(peers.get(i), RD_ATOMIC));
        }
    }

    private long at(int buffer) {
        return (long) buffer * terms.bytes();
    }

    void receive(int buffer) {
        srq.postReceive(Receive.of(buffer, side.slice(at(buffer), terms.bytes())));
    }

    /** Sends the first bytes of a buffer. */
    void send(int queuePair, int buffer, int bytes) {
        ends.get(queuePair).post(Send.of(buffer, side.slice(at(buffer), bytes)).withSignaled());
    }

    void write(int buffer, byte[] message) {
        side.memory().write(at(buffer), message);
    }

    byte[] read(int buffer, int bytes) {
        return side.memory().read(at(buffer), bytes);
    }

    /** @return empty if nothing happens for that time */
    Optional<Step> next(Duration silence) throws PeerException, InterruptedException {
        Optional<WorkCompletion> next = inbox.next(silence);
        return next.isPresent() ? Optional.of(step(next.get())) : Optional.empty();
    }

    private Step step(WorkCompletion completion) throws PeerException {
        int queuePair = indices.getOrDefault(completion.qpNumber(), 0);
        int buffer = (int) completion.workId();
        if (completion.status() == Status.RETRY_EXC_ERR) {
            return new Gone();
        }
        if (completion.status() == Status.LOC_LEN_ERR) {
            throw new PeerException(
                    "it sent a message of more than " + terms.bytes() + " bytes: a receive ended with LOC_LEN_ERR");
        }
        if (!completion.isSuccess()) {
            throw new PeerException("a request ended with " + completion.status());
        }
        return completion.kind() == CompletionKind.RECV
                ? new Arrived(queuePair, buffer, (int) completion.lengthBytes())
                : new Sent(queuePair, buffer);
    }

    @Override
    public void close() {
        process.close();
    }
}
