// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.XrcDomain;
import org.hcaactors.api.queue.XrcDomainDescription;
import org.hcaactors.api.queue.XrcQueuePair;
import org.hcaactors.api.queue.XrcTarget;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.NamedQueue;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.pair.XrcEnd;
import org.hcaactors.network.RdmaNetwork;

/**
 * The game of ibv_xsrq_pingpong. The clients are processes of one node, and each plays with the single server. The server
 * answers through the connection of another client, round robin, and names the queue of the client that it answers: any
 * connection to a node reaches all of its processes.
 */
final class XrcPingPong implements MessageKind {
    private static final int SENDS = 128;

    /** Requests of one queue pair of which at least one is signaled, which frees the slots of all. */
    private static final int SIGNALED = SENDS / 2;

    private final int bytes;
    private final long roundsEach;
    private final RdmaNetwork network;
    private final Desk server;
    private final List<Client> clients = new ArrayList<>();
    private final AtomicLong played = new AtomicLong();

    /** Rounds not yet played, and last sends not yet complete. */
    private final AtomicLong pending;

    private final CompletableFuture<Long> finished = new CompletableFuture<>();

    XrcPingPong(
            RdmaNetwork network,
            Adapter near,
            Adapter far,
            int clientCount,
            int bytes,
            long roundsEach,
            RcConnection attributes) {
        this.network = network;
        this.bytes = bytes;
        this.roundsEach = roundsEach;
        pending = new AtomicLong(clientCount * (roundsEach + 2));
        server = new Desk(far, "server", clientCount);
        for (int i = 0; i < clientCount; i++) {
            Client client = new Client(new Desk(near, "client-" + i, 1), server.line());
            XrcEnd.connect(network, client.line.initiator, client.atServer.target, attributes);
            XrcEnd.connect(network, client.atServer.initiator, client.line.target, attributes.reversed());
            clients.add(client);
        }
    }

    @Override
    public List<String> addresses() {
        List<String> lines = new ArrayList<>();
        for (Client client : clients) {
            lines.add(address("local", client.line, client.desk));
            lines.add(address("remote", client.atServer, server));
        }
        return lines;
    }

    private static String address(String which, Line line, Desk desk) {
        return "  %-6s address: RECV QPN 0x%06x, SEND QPN 0x%06x, SRQN 0x%06x, GID %s"
                .formatted(
                        which,
                        line.target.number(),
                        line.initiator.number(),
                        desk.queue.number(),
                        line.initiator.gid());
    }

    @Override
    public long rounds() {
        return clients.size() * roundsEach;
    }

    @Override
    public long played() {
        return played.get();
    }

    @Override
    public CompletionStage<?> play() {
        server.listen(this::served);
        clients.forEach(client -> client.desk.listen(client::answered));
        clients.forEach(client -> server.receive());
        clients.forEach(Client::begin);
        return finished;
    }

    /** The server received a client's message: it answers through another client's connection. */
    private void served(WorkCompletion message) {
        Client client = clients.stream()
                .filter(each -> each.atServer.target.number() == message.qpNumber())
                .findFirst()
                .orElseThrow();
        int through = (int) ((clients.indexOf(client) + server.taken++) % clients.size());
        boolean last = ++client.served == roundsEach;
        if (!last) {
            server.receive();
        }
        clients.get(through).atServer.send(server, client.desk.queue.number(), last);
    }

    private void ended() {
        if (pending.decrementAndGet() == 0) {
            finished.complete(played.get());
        }
    }

    /** Two connections of one side, one for each direction. */
    private final class Line {
        final XrcQueuePair initiator;
        final XrcTarget target;
        private long posted;

        Line(XrcQueuePair initiator, XrcTarget target) {
            this.initiator = initiator;
            this.target = target;
        }

        void send(Desk from, int toQueue, boolean last) {
            boolean signaled = last || ++posted % SIGNALED == 0;
            Send message = Send.of(last ? 1 : 0, from.queue.side().slice(0, bytes));
            initiator.post(toQueue, signaled ? message.withSignaled() : message);
        }
    }

    /** A process with a queue that peers name. */
    private final class Desk {
        final XrcDomain domain;
        final CompletionQueue sends;
        final NamedQueue queue;

        /** Messages received so far. */
        long taken;

        Desk(Adapter adapter, String process, int messages) {
            Side side = Side.of(network, adapter, process, Math.max(4096, 2L * bytes));
            domain = network.await(side.context().openXrcDomain(XrcDomainDescription.of(XrcEnd.FILE)));
            sends = network.await(side.context().createCq(2 * SENDS * messages));
            CompletionQueue receives = network.await(side.context().createCq(Math.max(16, messages)));
            queue = NamedQueue.in(
                    network, domain, side, receives, SrqDescription.of(messages).withMaxSge(1));
        }

        Line line() {
            QpCapacity capacity = QpCapacity.of(SENDS).withMaxSge(1).withMaxInlineBytes(0);
            XrcQueuePair initiator = network.await(queue.side()
                    .domain()
                    .createQp(QpDescription.xrc().withSendCq(sends).withCapacity(capacity)));
            return new Line(initiator, network.await(domain.createTarget()));
        }

        void listen(Consumer<WorkCompletion> taker) {
            sends.completions().subscribe(Subscribers.forEach(this::sent, finished::completeExceptionally));
            queue.completions()
                    .completions()
                    .subscribe(Subscribers.forEach(came -> received(came, taker), finished::completeExceptionally));
        }

        private void sent(WorkCompletion completion) {
            if (isGood(completion) && completion.workId() == 1) {
                ended();
            }
        }

        private void received(WorkCompletion completion, Consumer<WorkCompletion> taker) {
            if (isGood(completion)) {
                taker.accept(completion);
            }
        }

        private boolean isGood(WorkCompletion completion) {
            if (!completion.isSuccess()) {
                finished.completeExceptionally(new IllegalStateException(
                        "request %d ended with %s".formatted(completion.workId(), completion.status())));
            }
            return completion.isSuccess();
        }

        void receive() {
            queue.postReceive(Receive.of(2, queue.side().slice(bytes, bytes)));
        }
    }

    /** A process that plays with the server. */
    private final class Client {
        final Desk desk;
        final Line line;
        final Line atServer;

        /** Messages that the server received. */
        long served;

        Client(Desk desk, Line atServer) {
            this.desk = desk;
            this.atServer = atServer;
            line = desk.line();
        }

        void begin() {
            desk.receive();
            line.send(desk, server.queue.number(), roundsEach == 1);
        }

        private void answered(WorkCompletion answer) {
            played.incrementAndGet();
            if (++desk.taken < roundsEach) {
                desk.receive();
                line.send(desk, server.queue.number(), desk.taken + 1 == roundsEach);
            }
            ended();
        }
    }
}
