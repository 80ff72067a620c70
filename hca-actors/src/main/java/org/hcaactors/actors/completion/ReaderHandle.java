// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.completion;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.adapter.completion.CompletionGrant;
import org.hcaactors.adapter.completion.GrantCursor;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.stream.DeclinedSubscription;
import org.hcaactors.adapter.stream.Outlet;
import org.hcaactors.api.completion.CompletionCursor;
import org.hcaactors.api.completion.CompletionReader;
import org.jspecify.annotations.Nullable;

/** Handle of a completion reader, and the outlet of its subscription. */
final class ReaderHandle implements CompletionReader, Outlet<CompletionGrant> {
    private final Consumer<? super CompletionCursor> handler;
    private final CommandSender<?> commandSender;
    private final Reply<End> end;
    private final GrantCursor cursor = new GrantCursor();

    /** Null at first; {@link DeclinedSubscription#NOTHING} after close. */
    private final AtomicReference<Flow.@Nullable Subscription> subscription = new AtomicReference<>();

    private volatile @Nullable Throwable thrown;

    /** @param commandSender of its queue */
    ReaderHandle(Consumer<? super CompletionCursor> handler, CommandSender<?> commandSender) {
        this.handler = handler;
        this.commandSender = commandSender;
        end = new Reply<>(commandSender.callers());
    }

    @Override
    public CompletionStage<End> ended() {
        return end.stage();
    }

    @Override
    public void close() {
        Flow.Subscription given = subscription.getAndSet(DeclinedSubscription.NOTHING);
        if (given != null) {
            given.cancel();
        }
    }

    @Override
    public void opened(Flow.Subscription given) {
        if (subscription.compareAndSet(null, given)) {
            given.request(Long.MAX_VALUE);
        } else {
            given.cancel();
        }
    }

    @Override
    public boolean deliver(CompletionGrant granted, int index) {
        if (!cursor.moveTo(granted, index)) {
            return false;
        }
        try {
            handler.accept(cursor);
        } catch (Throwable reason) {
            thrown = reason;
            throw reason;
        } finally {
            cursor.leave();
        }
        return true;
    }

    @Override
    public void threw(Throwable what) {
        commandSender.threw(handler, what);
    }

    @Override
    public void failed(Throwable reason) {
        Throwable own = thrown;
        end.fail(own != null ? own : reason);
    }

    @Override
    public void completed() {
        ended(End.QUEUE_DESTROYED);
    }

    @Override
    public void returned() {
        ended(End.CLOSED);
    }

    @Override
    public void ownerStopped() {
        ended(End.QUEUE_DESTROYED);
    }

    /** An exception of the handler takes precedence, since it is reported nowhere else. */
    private void ended(End how) {
        Throwable reason = thrown;
        if (reason != null) {
            end.fail(reason);
        } else {
            end.succeed(how);
        }
    }
}
