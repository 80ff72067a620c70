// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.cable;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionRequest;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;

/**
 * The end that receives: its memory is open to the client; messages are received, or sent back. It answers each group of
 * datagrams with one.
 */
final class RdmaServer implements AutoCloseable {
    /** Number in the private data of a connection whose messages are received. */
    static final int SINK = 0;

    /** Number in the private data of a connection whose messages are sent back. */
    static final int ECHO = 1;

    private static final int SMALL = 64;

    /** Answers between two signaled ones. */
    private static final int SIGNALED = 32;

    private final RdmaHost host;

    RdmaServer(RdmaHost host) {
        this.host = host;
        host.network
                .await(host.side.context().listen(RdmaHost.SERVICE, 4))
                .requests()
                .subscribe(Subscribers.forEach(this::accept));
    }

    private void accept(ConnectionRequest request) {
        ByteBuffer data = request.privateData();
        boolean echoes = data.getInt() == ECHO;
        int clientsDatagrams = data.getInt();
        Gid client = Gid.of(request.peer().getAddress());
        // Complete before anything is received.
        CompletableFuture<RcQueuePair> made = new CompletableFuture<>();
        Answers answers = new Answers();
        CompletionQueue received = host.queue(id -> {
            made.join().postReceive(receive(id));
            if (echoes) {
                made.join().post(answers.next(Send.of(0, host.slice(SMALL))));
            }
        });
        ByteBuffer place = ByteBuffer.allocate(2 * Integer.BYTES + Long.BYTES)
                .putInt(host.side.region().rkey())
                .putLong(host.side.region().address())
                .putInt(datagramsFor(client, clientsDatagrams).number())
                .flip();
        request.accept(ConnectionDescription.of(host.side.domain())
                .withQp(QpDescription.rc()
                        .withCapacity(RdmaHost.capacity())
                        .withSendCq(host.queue(id -> {}))
                        .withRecvCq(received))
                .withTerms(RdmaHost.TERMS)
                .withPrivateData(place)
                .withPrepared(qp -> {
                    made.complete(qp);
                    for (int i = 0; i < RdmaHost.SLOTS; i++) {
                        qp.postReceive(receive(i));
                    }
                }));
    }

    private Receive receive(long id) {
        return Receive.of(id, host.slice(RdmaHost.LARGE));
    }

    /** Creates the queue pair for datagrams of a client. */
    private UdQueuePair datagramsFor(Gid address, int client) {
        AddressHandle toClient = host.network.await(host.side.domain().createAddressHandle(AddressVector.to(address)));
        Answers answers = new Answers();
        CompletableFuture<UdQueuePair> made = new CompletableFuture<>();
        UdAddress to = UdAddress.of(toClient, client, RdmaHost.QKEY);
        CompletionQueue received = host.queue(id -> {
            made.join().postReceive(receive(id));
            if (answers.isGroup()) {
                made.join().post(to, answers.next(Send.of(0, host.slice(SMALL))));
            }
        });
        UdQueuePair qp = host.datagrams(host.queue(id -> {}), received);
        made.complete(qp);
        for (int i = 0; i < RdmaHost.SLOTS; i++) {
            qp.postReceive(receive(i));
        }
        return qp;
    }

    /** Counts what was received and answered; on the adapter's thread. */
    private static final class Answers {
        private int received;
        private int sent;

        boolean isGroup() {
            return ++received % BareServer.GROUP == 0;
        }

        /** Returns the request, sometimes signaled. */
        Send next(Send plain) {
            return ++sent % SIGNALED == 0 ? plain.withSignaled() : plain;
        }
    }

    @Override
    public void close() {
        host.close();
    }
}
