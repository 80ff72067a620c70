// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionEnd;
import org.hcaactors.api.connection.ConnectionException;
import org.hcaactors.api.connection.ConnectionRequest;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.scenario.ConnectionOutcome.State;
import org.hcaactors.lab.scenario.Scenario.Line;
import org.hcaactors.lab.world.World;

/** A connection of a scenario that communication management makes. */
final class ManagedConnection {
    private final World world;
    private final Connecting entry;
    private final ConnectionPlan plan;
    private final long start;
    private final CompletableFuture<RcEnd> first = new CompletableFuture<>();
    private final CompletableFuture<RcEnd> second = new CompletableFuture<>();
    private final CompletableFuture<Connection> connected = new CompletableFuture<>();
    private final CompletableFuture<Connection> accepted = new CompletableFuture<>();

    /** Actions that wait until both ends can send, or it is certain that they never will. */
    private final List<Runnable> waiting = new ArrayList<>();

    private boolean decided;
    private Optional<RuntimeException> thrown = Optional.empty();
    private Optional<ConnectionEnd.Cause> end = Optional.empty();
    private Optional<ScenarioConnection> made = Optional.empty();
    private boolean receives;
    private boolean polled;

    /** @param start virtual time when the scenario starts */
    ManagedConnection(World world, Connecting entry, ConnectionPlan plan, long start) {
        this.world = world;
        this.entry = entry;
        this.plan = plan;
        this.start = start;
        first.thenAcceptBoth(second, this::made);
        first.exceptionally(refused -> notMade());
        second.exceptionally(refused -> notMade());
    }

    /** Runs in the program's thread; an exception there would not be seen. */
    private void made(RcEnd one, RcEnd other) {
        try {
            made = Optional.of(new ScenarioConnection(world, plan, new Ends<>(one, other)));
            prepare();
        } catch (VerbsException refused) {
            // A fault refused what its requests need: they are refused, too.
        } catch (RuntimeException bug) {
            thrown = Optional.of(bug);
        }
        decide();
    }

    private RcEnd notMade() {
        decide();
        throw new IllegalStateException("the connection was not made");
    }

    private void decide() {
        decided = true;
        List<Runnable> all = List.copyOf(waiting);
        waiting.clear();
        try {
            all.forEach(Runnable::run);
        } catch (RuntimeException bug) {
            thrown = Optional.of(bug);
        }
    }

    /** Runs the action when both ends can send, or it is certain that they never will. */
    void whenDecided(Runnable action) {
        if (decided) {
            action.run();
        } else {
            waiting.add(action);
        }
    }

    /** Throws what an action threw. */
    void rethrow() {
        thrown.ifPresent(bug -> {
            throw bug;
        });
    }

    Connecting entry() {
        return entry;
    }

    /** Adds the actions with their times. */
    void agenda(BiConsumer<Duration, Runnable> agenda) {
        Line line = entry.line();
        agenda.accept(line.openedAt(), this::begin);
        Stream.of(receivesAt(), line.polledAt())
                .filter(at -> at.compareTo(line.openedAt()) > 0)
                .forEach(at -> agenda.accept(at, this::prepare));
        entry.close().ifPresent(close -> agenda.accept(close.at(), () -> close(close)));
    }

    private Duration receivesAt() {
        return entry.line().stocks().getFirst().at();
    }

    /** Posts receives and begins to poll, if it is time. */
    private void prepare() {
        made.ifPresent(connection -> {
            if (!receives && isDue(receivesAt())) {
                receives = true;
                connection.postReceives(0);
            }
            if (!polled && entry.line().polled() && isDue(entry.line().polledAt())) {
                polled = true;
                connection.poll();
            }
        });
    }

    private boolean isDue(Duration at) {
        return world.now() - start >= at.toNanos();
    }

    /** The first end asks. */
    private void begin() {
        try {
            Half half = plan.connecting();
            ByteBuffer name = ByteBuffer.wrap(entry.line().name().getBytes(StandardCharsets.UTF_8));
            InetSocketAddress peer =
                    InetSocketAddress.createUnresolved(entry.line().second(), entry.port());
            keep(
                    half.side()
                            .context()
                            .connect(
                                    peer,
                                    RcEnd.described(half, entry.line().attributes())
                                            .withPrivateData(name)),
                    half,
                    connected,
                    first);
        } catch (VerbsException refused) {
            connected.completeExceptionally(refused);
            first.completeExceptionally(refused);
            throw refused;
        }
        connected.thenCompose(Connection::ended).thenAccept(over -> end = Optional.of(over.cause()));
    }

    /** Returns the second end, in the process of its listener. */
    Half accepting(ScenarioListener listener) {
        return plan.accepting(listener.context());
    }

    /** The second end accepts. */
    void accept(ConnectionRequest request, Half half) {
        keep(request.accept(RcEnd.described(half, entry.line().attributes())), half, accepted, second);
    }

    /** Programs close a connection that has ended. */
    private static void keep(
            CompletionStage<Connection> stage,
            Half half,
            CompletableFuture<Connection> handle,
            CompletableFuture<RcEnd> end) {
        stage.whenComplete((connection, refused) -> {
            if (refused == null) {
                connection.ended().thenAccept(over -> connection.closeAsync());
                handle.complete(connection);
                end.complete(new RcEnd(half.side(), connection.qp()));
            } else {
                handle.completeExceptionally(refused);
                end.completeExceptionally(refused);
            }
        });
    }

    /** One end disconnects, as soon as it is connected. */
    private void close(Connecting.Close close) {
        (close.bySecond() ? accepted : connected).thenAccept(Connection::closeAsync);
    }

    /** Returns the connection if both ends could send. */
    Optional<ScenarioConnection> made() {
        return made;
    }

    ConnectionOutcome outcome() {
        if (!connected.isDone()) {
            return ConnectionOutcome.of(State.WAITING);
        }
        if (connected.isCompletedExceptionally()) {
            return failed(reason());
        }
        return ConnectionOutcome.of(end.map(ManagedConnection::state).orElse(State.ESTABLISHED));
    }

    private static State state(ConnectionEnd.Cause cause) {
        return switch (cause) {
            case CLOSED_HERE -> State.CLOSED;
            case CLOSED_BY_PEER -> State.CLOSED_BY_PEER;
            case DEVICE_FAILED -> State.DEVICE_FAILED;
        };
    }

    private Throwable reason() {
        Throwable thrown = connected.exceptionNow();
        return thrown instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : thrown;
    }

    private static ConnectionOutcome failed(Throwable reason) {
        if (!(reason instanceof ConnectionException refused)) {
            boolean device = reason instanceof VerbsException verb && verb.errno() == Errno.EIO;
            return ConnectionOutcome.of(device ? State.DEVICE_FAILED : State.FAILED);
        }
        if (refused.reason().isPresent()) {
            return ConnectionOutcome.rejected(refused.reason().getAsInt());
        }
        Optional<Errno> errno = refused.findErrno();
        State unanswered = errno.equals(Optional.of(Errno.ETIMEDOUT)) ? State.UNANSWERED : State.FAILED;
        return ConnectionOutcome.of(errno.equals(Optional.of(Errno.ECANCELED)) ? State.CANCELED : unanswered);
    }

    /** Returns why it was not made. */
    Optional<String> failure() {
        return connected.isCompletedExceptionally()
                ? Optional.of("connect " + entry.line().name() + ": " + reason().getMessage())
                : Optional.empty();
    }
}
