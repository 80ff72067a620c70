// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.connection.ConnectionRequest;
import org.hcaactors.api.error.RdmaException;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RdmaWrite;

/**
 * Connections by communication management: programs connect, accept, reject, ignore, send and close at any time, and the listener
 * is closed and opened again. Every attempt ends, with the data of the peer. Unless a part is gone or packets are forged, it ends
 * at both ends in the same way, and no connection ends that no program closed.
 */
final class Connections implements Workload {
    private static final int PORT = 4711;
    private static final int MAX_ATTEMPTS = 12;

    /** More than all repetitions of a message and of those that follow it. */
    private static final Duration TIMEOUT = Duration.ofMinutes(20);

    private final SweepContext sweep;
    private final SplittableRandom random;
    private final InetSocketAddress server;
    private final List<CompletionStage<?>> stages = new ArrayList<>();
    private final List<Connection> open = new ArrayList<>();

    /** Ends of each connection by the client's port. */
    private final Map<Integer, Connection> ofClients = new LinkedHashMap<>();

    private final Map<Integer, Connection> ofServers = new LinkedHashMap<>();

    /** Client's ports of the connections that a program has closed. */
    private final Set<Integer> closed = new LinkedHashSet<>();

    private Optional<ConnectionListener> listener = Optional.empty();
    private int attempts;
    private boolean finishing;
    private Optional<String> wrong = Optional.empty();

    Connections(SweepContext sweep) {
        this.sweep = sweep;
        random = sweep.random("connections");
        server = new InetSocketAddress(sweep.b().adapter.gid().toInetAddress(), PORT);
        listen();
    }

    private void listen() {
        await(sweep.b().context.listen(PORT, 1 + random.nextInt(4)).thenAccept(made -> {
            listener = Optional.of(made);
            made.requests().subscribe(Subscribers.forEach(this::decide, reason -> {}));
            if (finishing) {
                await(made.closeAsync());
            }
        }));
    }

    /** Keeps a stage that must end, in whatever way. */
    private void await(CompletionStage<?> stage) {
        stages.add(stage);
    }

    @Override
    public void step() {
        switch (random.nextInt(32)) {
            case 0, 1, 2, 3, 4 -> connect();
            case 5 -> closeOne();
            case 6 -> reopen();
            default -> write();
        }
        throwIfWrong();
    }

    private ConnectionDescription description(SweepNode of, int number) {
        RcConnection terms = sweep.patient(random);
        return ConnectionDescription.of(of.domain)
                .withTerms(terms)
                .withPrivateData(ByteBuffer.allocate(Integer.BYTES).putInt(0, number));
    }

    private void connect() {
        if (attempts == MAX_ATTEMPTS) {
            return;
        }
        int number = ++attempts;
        await(sweep.a().context.connect(server, description(sweep.a(), number)).thenAccept(made -> {
            if (made.privateData().getInt() != number) {
                wrong = Optional.of("attempt " + number + " got the data of attempt "
                        + made.privateData().getInt());
            }
            opened(made.local().getPort(), made, ofClients);
        }));
    }

    /** Accepts with the peer's own data, or rejects, or leaves the request to its timeout. */
    private void decide(ConnectionRequest request) {
        int draw = random.nextInt(10);
        if (draw < 7) {
            await(request.accept(description(sweep.b(), request.privateData().getInt()))
                    .thenAccept(made -> opened(made.peer().getPort(), made, ofServers)));
        } else if (draw < 9) {
            await(request.reject());
        }
    }

    private void opened(int port, Connection made, Map<Integer, Connection> side) {
        side.put(port, made);
        made.ended().thenAccept(end -> {
            if (!closed.contains(port) && partsAreWell()) {
                wrong = Optional.of("the connection from port " + port + " ended, " + end.cause()
                        + ", although no program closed it");
            }
        });
        open.add(made);
    }

    private boolean partsAreWell() {
        return sweep.severity() == FaultSeverity.CALM || sweep.severity() == FaultSeverity.ROUGH;
    }

    private void close(Connection one) {
        open.remove(one);
        closed.add(
                ofClients.containsValue(one)
                        ? one.local().getPort()
                        : one.peer().getPort());
        await(one.closeAsync());
    }

    private void write() {
        if (!open.isEmpty()) {
            Connection one = open.get(random.nextInt(open.size()));
            ReceiveWaves.quietly(() -> await(one.qp()
                    .submit(RdmaWrite.of(1, List.of(), new RemoteAddress(0, 0)))
                    .thenAccept(this::written)));
        }
    }

    /** A peer may close at any time, after which requests fail in one of these ways. */
    private void written(WorkCompletion completion) {
        boolean allowed = completion.status() == Status.SUCCESS
                || completion.status() == Status.WR_FLUSH_ERR
                || completion.status() == Status.RETRY_EXC_ERR;
        if (!allowed && partsAreWell()) {
            wrong = Optional.of("a WRITE of nothing ended with " + completion.status());
        }
    }

    private void closeOne() {
        if (!open.isEmpty()) {
            close(open.get(random.nextInt(open.size())));
        }
    }

    private void reopen() {
        listener.ifPresent(old -> {
            listener = Optional.empty();
            await(old.closeAsync());
            listen();
        });
    }

    @Override
    public void finish() {
        finishing = true;
        listener.ifPresent(last -> await(last.closeAsync()));
    }

    private void throwIfWrong() {
        wrong.ifPresent(what -> {
            throw new AssertionError("connections: " + what);
        });
    }

    /** Connections are closed when all attempts have ended, so that none ends because of that. */
    @Override
    public void close() {
        awaitAll();
        List.copyOf(open).forEach(this::close);
        awaitAll();
    }

    private void awaitAll() {
        for (int i = 0; i < stages.size(); i++) {
            ended(stages.get(i));
        }
        throwIfWrong();
    }

    @Override
    public void atRest() {
        if (partsAreWell() && !ofClients.keySet().equals(ofServers.keySet())) {
            throw new AssertionError("connections: clients have those from the ports " + ofClients.keySet()
                    + ", but servers those of " + ofServers.keySet());
        }
    }

    private void ended(CompletionStage<?> stage) {
        try {
            sweep.world().await(stage, TIMEOUT);
        } catch (RdmaException refused) {
            // Every refusal is allowed, since ends close at any time.
        }
    }
}
