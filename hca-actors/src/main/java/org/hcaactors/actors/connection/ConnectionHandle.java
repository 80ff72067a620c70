// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.connection;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.hcaactors.adapter.cm.CmQueuePair;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.stage.StageOutcome;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionEnd;
import org.hcaactors.api.connection.ConnectionException;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.fabric.packet.Octets;
import org.jspecify.annotations.Nullable;

/** Handle of a connection, from the begin of making it on. */
final class ConnectionHandle implements Connection {
    private final ConnectionOwner owner;
    private final InetSocketAddress local;
    private final InetSocketAddress peer;
    private final Runnable onWithdrawn;
    private final CompletableFuture<ConnectionEnd> ended = new CompletableFuture<>();
    private volatile ByteBuffer privateData = ByteBuffer.allocate(0);
    private volatile boolean withdrawn;

    /** How it ended in communication management; its queue pair may not be in ERR yet. */
    private volatile @Nullable ConnectionEnd end;

    private volatile @Nullable RcQueuePair queuePair;

    /** Both ends can send. */
    private boolean established;

    /** Reason for which it is not made any more. */
    private @Nullable ConnectionException gaveUp;

    /** The queue pair moves to ERR, once. */
    private @Nullable CompletionStage<Void> flushed;

    /** The program closes it. */
    private @Nullable CompletableFuture<Void> closing;

    /** @param onWithdrawn called on the adapter's thread if the peer no longer waits for a decision */
    ConnectionHandle(ConnectionOwner owner, InetSocketAddress local, InetSocketAddress peer, Runnable onWithdrawn) {
        this.owner = owner;
        this.onWithdrawn = onWithdrawn;
        this.local = local;
        this.peer = peer;
    }

    void receives(ByteBuffer ofPeer) {
        privateData = ofPeer;
    }

    boolean isWithdrawn() {
        return withdrawn;
    }

    /**
     * Makes the connection: creates the queue pair and moves it to INIT, and then does the rest. If anything fails, nothing
     * is left.
     */
    CompletionStage<Connection> make(
            ConnectionDescription description, Function<CmQueuePair, CompletionStage<Void>> rest) {
        CompletableFuture<Connection> made = new CompletableFuture<>();
        try {
            owner.begun(this);
        } catch (VerbsException refused) {
            owner.manage(new CmActor.Abandon(this));
            return CompletableFuture.failedStage(refused);
        }
        StageOutcome.of(
                created(description)
                        .thenCompose(created -> bringUp(created, description, rest))
                        .handle((done, failure) -> failure == null ? established() : undone(failure))
                        .thenCompose(Function.identity()),
                made);
        return made.minimalCompletionStage();
    }

    /** A description of the program's own may throw; the connection fails with it. */
    private static CompletionStage<RcQueuePair> created(ConnectionDescription description) {
        try {
            return description
                    .queuePair()
                    .<CompletionStage<RcQueuePair>>map(CompletableFuture::completedStage)
                    .orElseGet(() -> description.domain().createQp(description.qp()));
        } catch (RuntimeException | Error thrown) {
            return CompletableFuture.failedStage(thrown);
        }
    }

    private CompletionStage<Void> bringUp(
            RcQueuePair created, ConnectionDescription description, Function<CmQueuePair, CompletionStage<Void>> rest) {
        if (description.queuePair().isEmpty()) {
            queuePair = created; // Destroyed also if it is refused: no program has it.
        }
        owner.owns(created);
        queuePair = created;
        CmQueuePair end =
                new CmQueuePair(created.number(), created.srq().isPresent(), description.terms(), owner.localPort());
        return created.modify(description.terms().toInit()).thenCompose(init -> {
            description.prepare().accept(created);
            return rest.apply(end);
        });
    }

    /** Moves the queue pair of an established connection to RTS. If the peer has ended it already, it is in ERR and stays there. */
    CompletionStage<Void> sends(QpModify toRts) {
        return qp().modify(toRts)
                .exceptionallyCompose(refused ->
                        end != null ? CompletableFuture.completedStage(null) : CompletableFuture.failedStage(refused));
    }

    /** Sends a verb that continues the connection, unless it is being closed. */
    <T> CompletionStage<T> manage(Function<Reply<T>, CmActor.Verb> verb) {
        // Synchronized, so that what closes it comes before or behind the verb.
        synchronized (this) {
            return closing == null ? owner.manage(verb) : CompletableFuture.failedStage(canceled());
        }
    }

    private static ConnectionException canceled() {
        return ConnectionException.failed(Errno.ECANCELED, "the connection was closed while it was made");
    }

    private CompletionStage<Connection> established() {
        synchronized (this) {
            if (closing == null) {
                established = true;
                return CompletableFuture.completedStage(this);
            }
        }
        return undone(canceled());
    }

    /** Ends the attempt, unless it has succeeded or is being closed. */
    synchronized void giveUp(Duration after) {
        if (closing == null && !established) {
            gaveUp = ConnectionException.failed(Errno.ETIMEDOUT, "no connection to " + peer + " within " + after);
            closing = new CompletableFuture<>();
            owner.manage(new CmActor.Abandon(this));
        }
    }

    private CompletionStage<Connection> undone(Throwable failure) {
        owner.manage(new CmActor.Abandon(this));
        return destroyed()
                .handle((done, refused) -> {
                    CompletableFuture<Void> waits = over();
                    if (waits != null) {
                        waits.complete(null);
                    }
                    return CompletableFuture.<Connection>failedStage(reason(failure));
                })
                .thenCompose(Function.identity());
    }

    private synchronized Throwable reason(Throwable failure) {
        return gaveUp == null ? StageOutcome.itself(failure) : gaveUp;
    }

    /** Returns who waits for the end of a connection that was not made. */
    private synchronized @Nullable CompletableFuture<Void> over() {
        owner.closed(this);
        CompletableFuture<Void> waits = closing;
        closing = waits == null ? CompletableFuture.completedFuture(null) : waits;
        return waits;
    }

    private CompletionStage<Void> destroyed() {
        RcQueuePair created = queuePair;
        return created == null ? CompletableFuture.completedStage(null) : created.closeAsync();
    }

    /** The peer no longer waits for the decision about its request. Called on the adapter's thread. */
    void withdrawn() {
        withdrawn = true;
        onWithdrawn.run();
    }

    // rule cm-disconnect
    /**
     * The queue pair enters ERR before the program learns of the end, so that requests do not wait for a peer that is gone. Called
     * on the adapter's thread.
     */
    void ended(ConnectionEnd.Cause cause, Octets data) {
        ConnectionEnd how = new ConnectionEnd(
                cause, Addresses.buffer(cause == ConnectionEnd.Cause.CLOSED_BY_PEER ? data : Octets.NONE));
        end = how;
        flushed().thenRun(() -> owner.commandSender().callers().execute(() -> ended.complete(how)));
    }

    @Override
    public RcQueuePair qp() {
        RcQueuePair created = queuePair;
        if (created == null) {
            throw new IllegalStateException("the connection has no queue pair yet");
        }
        return created;
    }

    @Override
    public InetSocketAddress local() {
        return local;
    }

    @Override
    public InetSocketAddress peer() {
        return peer;
    }

    @Override
    public ByteBuffer privateData() {
        return privateData.duplicate();
    }

    @Override
    public CompletionStage<ConnectionEnd> ended() {
        return ended.minimalCompletionStage();
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return closeAsync(ByteBuffer.allocate(0));
    }

    @Override
    public CompletionStage<Void> closeAsync(ByteBuffer data) {
        Octets bytes;
        try {
            bytes = Addresses.octets(data, ConnectionDescription.MAX_DISCONNECT_DATA);
        } catch (VerbsException tooLong) {
            return CompletableFuture.failedStage(tooLong);
        }
        CompletableFuture<Void> done;
        synchronized (this) {
            if (closing != null) {
                return closing.minimalCompletionStage();
            }
            done = new CompletableFuture<>();
            closing = done;
            owner.commandSender().pending("close of the " + describe(), done);
            if (!established) {
                owner.manage(new CmActor.Abandon(this));
                return done.minimalCompletionStage();
            }
        }
        flushed()
                .thenCompose(inError -> {
                    owner.manage(new CmActor.Disconnect(this, bytes));
                    return destroyed();
                })
                .whenComplete((destroyed, refused) -> closed(done, refused));
        return done.minimalCompletionStage();
    }

    // rule cm-disconnect
    /** Moves the queue pair, if there is one, to ERR, which flushes its requests, whether the peer answers or not. */
    private synchronized CompletionStage<Void> flushed() {
        RcQueuePair created = queuePair;
        if (flushed == null) {
            flushed = created == null
                    ? CompletableFuture.completedStage(null)
                    : created.modify(QpModify.to(QpState.ERR)).exceptionally(refused -> null);
        }
        return flushed;
    }

    private void closed(CompletableFuture<Void> done, @Nullable Throwable refused) {
        if (refused == null) {
            owner.closed(this);
            ConnectionEnd before = end;
            ended.complete(
                    before == null
                            ? new ConnectionEnd(ConnectionEnd.Cause.CLOSED_HERE, ByteBuffer.allocate(0))
                            : before);
            done.complete(null);
            return;
        }
        synchronized (this) {
            closing = null;
        }
        done.completeExceptionally(StageOutcome.itself(refused));
    }

    @Override
    public void close() {
        owner.commandSender().await(closeAsync());
    }

    @Override
    public String describe() {
        RcQueuePair created = queuePair;
        String from = created == null ? "" : " of queue pair " + created.number();
        return "connection" + from + " to " + peer.getAddress().getHostAddress() + ":" + peer.getPort();
    }

    @Override
    public String toString() {
        return describe();
    }
}
