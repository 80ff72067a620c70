// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.lab.pair.End;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.pair.Transport;
import org.hcaactors.lab.pair.UcEnd;
import org.hcaactors.lab.pair.UdEnd;
import org.hcaactors.network.RdmaNetwork;

/**
 * A queue pair in RESET, and how it is connected to one outside of the JVM.
 *
 * @param firstPsn first PSN that it will send
 */
record UnconnectedQp(Side side, QueuePair qp, int firstPsn, Connecting connecting) {
    /** A JVM that starts on a busy machine may be silent for longer than eight times the default of 67 ms. */
    private static final Duration ACK_TIMEOUT = Duration.ofMillis(500);

    /** Terms of connections that communication management makes. */
    static final RcConnection PATIENT = RcConnection.DEFAULT.withTimeout(ACK_TIMEOUT);

    private static final int PSN_BITS = 24;

    /** Connects a queue pair to a peer, whose first PSN the address has. */
    interface Connecting {
        /** @param rdAtomic outstanding READs and atomics at most, at least 1 */
        End to(QpAddress peer, int rdAtomic);
    }

    private RcQueuePair reliable() {
        if (qp instanceof RcQueuePair reliable) {
            return reliable;
        }
        throw new IllegalStateException("communication management connects queue pairs of RC only");
    }

    /** Returns the description of a connection of this queue pair. */
    ConnectionDescription description(PathMtu mtu) {
        return ConnectionDescription.of(side.domain()).withQueuePair(reliable()).withTerms(PATIENT.withMtu(mtu));
    }

    /** Returns the end of the queue pair, after communication management has connected it. */
    End connected() {
        return new RcEnd(side, reliable());
    }

    /**
     * Creates a queue pair.
     *
     * @param queue gets all of its completions
     */
    static UnconnectedQp create(
            RdmaNetwork network,
            Side side,
            Transport transport,
            PathMtu mtu,
            CompletionQueue queue,
            QpCapacity capacity) {
        RcConnection terms = terms(mtu);
        return switch (transport) {
            case RC -> reliable(network, side, QpDescription.rc(), terms, queue, capacity);
            case UC -> {
                UcQueuePair qp = create(network, side, QpDescription.uc(), queue, capacity);
                yield new UnconnectedQp(side, qp, terms.sendPsn(), (peer, none) -> {
                    RcConnection with = terms.withReceivePsn(peer.psn());
                    network.await(qp.connect(peer.gid(), peer.number(), UcEnd.termsOf(with)));
                    return new UcEnd(side, qp);
                });
            }
            case UD -> {
                UdQueuePair qp = create(network, side, QpDescription.ud(), queue, capacity);
                network.await(qp.activate(QKey.of(UdEnd.QKEY)));
                yield new UnconnectedQp(
                        side,
                        qp,
                        0,
                        (peer, none) -> new UdEnd(
                                side, qp, UdEnd.address(network, side, peer.gid(), peer.number(), UdEnd.QKEY)));
            }
            case XRC, DC -> throw new IllegalArgumentException(transport + " has no classic tool");
        };
    }

    /** Creates one of RC that takes its receives from a shared queue. */
    static UnconnectedQp sharing(
            RdmaNetwork network,
            Side side,
            PathMtu mtu,
            SharedReceiveQueue srq,
            CompletionQueue queue,
            QpCapacity capacity) {
        return reliable(network, side, QpDescription.rc().withSrq(srq), terms(mtu), queue, capacity);
    }

    private static RcConnection terms(PathMtu mtu) {
        return RcConnection.DEFAULT
                .withMtu(mtu)
                .withTimeout(ACK_TIMEOUT)
                .withSendPsn(ThreadLocalRandom.current().nextInt(1 << PSN_BITS));
    }

    private static UnconnectedQp reliable(
            RdmaNetwork network,
            Side side,
            QpDescription<RcQueuePair> description,
            RcConnection terms,
            CompletionQueue queue,
            QpCapacity capacity) {
        RcQueuePair qp = create(network, side, description, queue, capacity);
        return new UnconnectedQp(side, qp, terms.sendPsn(), (peer, rdAtomic) -> {
            RcConnection with = terms.withReceivePsn(peer.psn()).withRdAtomic(rdAtomic);
            network.await(qp.connect(peer.gid(), peer.number(), with));
            return new RcEnd(side, qp);
        });
    }

    private static <Q extends QueuePair> Q create(
            RdmaNetwork network, Side side, QpDescription<Q> description, CompletionQueue queue, QpCapacity capacity) {
        return network.await(side.domain()
                .createQp(description.withCapacity(capacity).withSendCq(queue).withRecvCq(queue)));
    }
}
