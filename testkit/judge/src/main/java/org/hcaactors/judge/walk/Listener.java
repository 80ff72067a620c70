// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Flow;
import java.util.function.ObjIntConsumer;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.jspecify.annotations.Nullable;

/** Subscriber that requests few elements at a time, and records its signals for the walk to check. */
final class Listener<E> implements Flow.Subscriber<E> {
    private static final int NEVER = Integer.MAX_VALUE;

    private final Journal journal;
    private final WalkObject subject;
    private final Call call;
    private final ObjIntConsumer<E> taken;
    private final int first;
    private final boolean oneThread;
    private final boolean mayBeOneOfSeveral;
    private volatile Flow.@Nullable Subscription subscription;
    private boolean cancelled;
    private int terminatedAt = NEVER;

    /**
     * Creates a subscriber.
     *
     * @param subject the object that it subscribes to
     * @param taken called on the walk's thread with each element and the moment at which it was delivered, 0 if unknown
     * @param first initial demand
     * @param oneThread true if it is called on the walk's thread
     * @param mayBeOneOfSeveral true if another subscriber or waiter may exist at the same time
     */
    Listener(
            Journal journal,
            WalkObject subject,
            Call call,
            ObjIntConsumer<E> taken,
            int first,
            boolean oneThread,
            boolean mayBeOneOfSeveral) {
        this.journal = journal;
        this.subject = subject;
        this.call = call;
        this.taken = taken;
        this.first = first;
        this.oneThread = oneThread;
        this.mayBeOneOfSeveral = mayBeOneOfSeveral;
    }

    /** True if it was refused, or its stream ended, and this was known before that moment. */
    boolean wasTerminatedBefore(int moment) {
        return terminatedAt < moment;
    }

    boolean isCancelled() {
        return cancelled;
    }

    void request(int more) {
        Flow.Subscription given = subscription;
        if (given != null && !cancelled) {
            given.request(more);
        }
    }

    /** Cancels; without effect before the subscription starts or after an earlier cancel. */
    void cancel() {
        Flow.Subscription given = subscription;
        if (given != null && !cancelled) {
            cancelled = true;
            given.cancel();
        }
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        given.request(first);
    }

    @Override
    public void onNext(E element) {
        int moment = oneThread ? journal.now() : 0;
        journal.note(() -> taken.accept(element, moment));
    }

    @Override
    public void onError(Throwable error) {
        journal.note(() -> over(
                error instanceof VerbsException refused ? Optional.of(refused.errno()) : Optional.of(unknown(error))));
    }

    @Override
    public void onComplete() {
        journal.note(() -> over(Optional.empty()));
    }

    private Errno unknown(Throwable error) {
        throw journal.wrong(
                subject + "'s stream ended with an exception that is no VerbsException: " + error, List.of(subject));
    }

    /**
     * Returns its allowed ends: the stream ends when its subject is closed; it is refused while another subscribes, or if the
     * subject has failed.
     */
    private AllowedAnswer allowed() {
        boolean mayGo = subject.mayGoSince(call.began());
        boolean mayFail = subject instanceof WalkObjects.CqModel cq && cq.mayHaveFailed();
        return new AllowedAnswer(mayGo, Set.of())
                .orRefusedIf(mayGo, Errno.EINVAL, Errno.ECANCELED)
                .orRefusedIf(mayBeOneOfSeveral, Errno.EBUSY)
                .orRefusedIf(mayFail, Errno.EIO);
    }

    private void over(Optional<Errno> how) {
        if (terminatedAt != NEVER) {
            throw journal.wrong(subject + "'s stream ended twice for one subscriber", List.of(subject));
        }
        terminatedAt = journal.now();
        AllowedAnswer allowed = allowed().in(journal.severity());
        if (!allowed.includes(how)) {
            throw journal.wrong(
                    call + "\n  ended with " + how.map(Errno::toString).orElse("onComplete") + "\n  allowed: "
                            + allowed,
                    List.of(subject));
        }
    }
}
