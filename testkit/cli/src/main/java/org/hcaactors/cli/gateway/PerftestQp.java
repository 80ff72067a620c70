// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.End;
import org.hcaactors.lab.pair.Side;

/**
 * A queue pair of perftest's server. Its memory has two areas: messages leave from the first, and the client reads and writes the
 * second, where messages arrive, too.
 */
final class PerftestQp {
    private static final int RECEIVES = 512;
    private static final int SENDS = 128;

    /** Time between two looks at memory that the client will write. */
    private static final long LOOK_NANOS = 5_000;

    /** Connects a queue pair to that of the client. */
    interface Connecting {
        End connect(UnconnectedQp qp);

        /** Connects it as the exchange over TCP says. */
        static Connecting to(PerftestKeys client) {
            int outstanding = Math.clamp(client.outstanding(), 1, RcConnection.DEFAULT.rdAtomic());
            return qp -> qp.connecting().to(client.address(), outstanding);
        }
    }

    private final Station station;
    private final PerftestTerms terms;
    private final Side side;
    private final int areaBytes;
    private final CompletionQueue queue;
    private final UnconnectedQp qp;
    private final End end;
    private final AtomicLong received = new AtomicLong();
    private final AtomicReference<String> failure = new AtomicReference<>("");

    /**
     * Creates a queue pair and connects it to the client's, with receives if the test has messages.
     *
     * @param side memory of two areas
     */
    PerftestQp(Station station, PerftestTerms terms, Side side, int areaBytes, PathMtu mtu, Connecting connecting) {
        this.station = station;
        this.terms = terms;
        this.side = side;
        this.areaBytes = areaBytes;
        queue = station.network().await(side.context().createCq(2 * (RECEIVES + SENDS)));
        QpCapacity capacity =
                QpCapacity.of(SENDS).withMaxRecvWr(RECEIVES).withMaxSge(1).withMaxInlineBytes(0);
        qp = UnconnectedQp.create(station.network(), side, terms.transport(), mtu, queue, capacity);
        end = connecting.connect(qp);
        for (int i = 0; terms.tool().isSend() && i < RECEIVES; i++) {
            receive();
        }
        queue.completions().subscribe(Subscribers.forEach(this::take));
    }

    PerftestKeys keys() {
        return new PerftestKeys(
                RcConnection.DEFAULT.rdAtomic(),
                QpAddress.of(station.adapter().gid(), qp.qp().number(), qp.firstPsn()),
                side.remote(areaBytes));
    }

    private void receive() {
        end.postReceive(Receive.of(1, side.slice(areaBytes, terms.transport().headroomBytes() + terms.bytes())));
    }

    private void take(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            if (completion.status() != Status.WR_FLUSH_ERR) {
                failure.compareAndSet("", "a request ended with " + completion.status());
            }
        } else if (completion.kind() == CompletionKind.RECV) {
            received.incrementAndGet();
            receive();
            if (terms.tool().server() == PerftestTool.Server.SENDS_BACK) {
                int length = (int) completion.lengthBytes() - terms.transport().headroomBytes();
                end.post(Send.of(2, side.slice(0, length)).withSignaled());
            }
        }
    }

    /** Returns the number of messages that arrived. */
    long received() {
        return received.get();
    }

    /** Returns what failed first; empty if nothing did. */
    String failure() {
        return Objects.requireNonNull(failure.get());
    }

    /**
     * Writes to the client, and again whenever the client has written: the last byte of a message is its number. Ends by an
     * interrupt, or with a request that fails.
     */
    void writeInTurns(RemoteAddress client) {
        byte number = 1;
        write(number, client);
        while (!Thread.currentThread().isInterrupted() && failure().isEmpty()) {
            if (side.memory().read(areaBytes + terms.bytes() - 1L, 1)[0] == number) {
                received.incrementAndGet();
                number++;
                write(number, client);
            } else {
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
    }

    private void write(byte number, RemoteAddress client) {
        side.memory().write(terms.bytes() - 1L, new byte[] {number});
        end.post(RdmaWrite.of(3, side.slice(0, terms.bytes()), client).withSignaled());
    }

    /** Closes what it created. */
    void close() {
        end.qp().close();
        queue.close();
    }
}
