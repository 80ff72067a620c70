// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.connection;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QueuePairCreator;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;

/**
 * One end of a connection: what creates its queue pair, and with which terms. Both ends agree on the path MTU and the retries of the
 * end that connects, and on the smaller number of outstanding READs and atomics. Each end has its own rights, timers and first PSN
 * sent; the first PSN expected is that of the peer.
 *
 * <p>Immutable: {@code with} methods return changed copies. Components are added in minor versions.
 */
public final class ConnectionDescription {
    /** Maximum bytes of data with a request. */
    public static final int MAX_REQUEST_DATA = 56;

    /** Maximum bytes of data with an acceptance. */
    public static final int MAX_ACCEPT_DATA = 196;

    /** Maximum bytes of data with a rejection. */
    public static final int MAX_REJECT_DATA = 148;

    /** Maximum bytes of data with a disconnection. */
    public static final int MAX_DISCONNECT_DATA = 220;

    private final QueuePairCreator domain;
    private final QpDescription<RcQueuePair> qp;
    private final Optional<RcQueuePair> queuePair;
    private final RcConnection terms;
    private final ByteBuffer privateData;
    private final Consumer<? super RcQueuePair> prepare;

    private ConnectionDescription(
            QueuePairCreator domain,
            QpDescription<RcQueuePair> qp,
            Optional<RcQueuePair> queuePair,
            RcConnection terms,
            ByteBuffer privateData,
            Consumer<? super RcQueuePair> prepare) {
        this.domain = domain;
        this.qp = qp;
        this.queuePair = queuePair;
        this.terms = terms;
        this.privateData = privateData;
        this.prepare = prepare;
    }

    /** Describes an end with a default queue pair, {@link RcConnection#DEFAULT} and no data. */
    public static ConnectionDescription of(QueuePairCreator domain) {
        return new ConnectionDescription(
                domain,
                QpDescription.rc(),
                Optional.empty(),
                RcConnection.DEFAULT,
                ByteBuffer.allocate(0).asReadOnlyBuffer(),
                created -> {});
    }

    /** Creates the queue pair. */
    public QueuePairCreator domain() {
        return domain;
    }

    public QpDescription<RcQueuePair> qp() {
        return qp;
    }

    /** The queue pair of the program; empty if the connection creates one. */
    public Optional<RcQueuePair> queuePair() {
        return queuePair;
    }

    public RcConnection terms() {
        return terms;
    }

    /** Data for the peer, read-only. */
    public ByteBuffer privateData() {
        return privateData.duplicate();
    }

    /** Sets the description of the queue pair that the connection creates. */
    public ConnectionDescription withQp(QpDescription<RcQueuePair> other) {
        return new ConnectionDescription(domain, other, Optional.empty(), terms, privateData, prepare);
    }

    /**
     * Uses a queue pair that the program has created, in RESET or INIT, instead of creating one. It belongs to the connection then, which
     * closes it, also if the connection is not made. EINVAL when it is used if it is of another context, belongs to another connection,
     * or is closed; and, at the cost of the queue pair, if it is in another state.
     */
    public ConnectionDescription withQueuePair(RcQueuePair other) {
        return new ConnectionDescription(domain, qp, Optional.of(other), terms, privateData, prepare);
    }

    /** Sets the terms; the first PSN expected has no effect. */
    public ConnectionDescription withTerms(RcConnection other) {
        return new ConnectionDescription(domain, qp, queuePair, other, privateData, prepare);
    }

    /**
     * Sets data that the peer receives with the request or the reply, which it sees padded with zeros. EINVAL at once above
     * {@value #MAX_ACCEPT_DATA} bytes, and EINVAL when it is used for a request above {@value #MAX_REQUEST_DATA}.
     *
     * @param data copied, from its position to its limit
     */
    public ConnectionDescription withPrivateData(ByteBuffer data) {
        if (data.remaining() > MAX_ACCEPT_DATA) {
            throw VerbsException.invalid("the private data have " + data.remaining() + " bytes; at most "
                    + MAX_ACCEPT_DATA + " are allowed");
        }
        byte[] copy = new byte[data.remaining()];
        data.get(data.position(), copy);
        return new ConnectionDescription(
                domain, qp, queuePair, terms, ByteBuffer.wrap(copy).asReadOnlyBuffer(), prepare);
    }

    /** Called with the queue pair in INIT, before the peer can send. */
    public Consumer<? super RcQueuePair> prepare() {
        return prepare;
    }

    /**
     * Sets what is done with the queue pair in INIT, before the peer can send: receives are posted, or its number is noted. Called on
     * the callers' executor. If it throws, the connection is not made, and a peer that waits is rejected.
     */
    public ConnectionDescription withPrepared(Consumer<? super RcQueuePair> prepare) {
        return new ConnectionDescription(domain, qp, queuePair, terms, privateData, prepare);
    }
}
