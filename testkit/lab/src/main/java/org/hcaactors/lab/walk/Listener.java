package org.hcaactors.lab.walk;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Flow;
import java.util.function.ObjIntConsumer;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.jspecify.annotations.Nullable;

/** A subscriber that asks for few at a time, and notes what it is told for the walk to judge. */
final class Listener<E> implements Flow.Subscriber<E> {
    private final Journal journal;
    private final Thing subject;
    private final Call call;
    private final ObjIntConsumer<E> taken;
    private final int first;
    private final boolean oneThread;
    private volatile Flow.@Nullable Subscription subscription;
    private boolean cancelled;
    private boolean told;
    private Optional<Errno> refusal = Optional.empty();

    /**
     * @param subject what it listens to
     * @param taken told, on the walk's thread, of each element and of the moment at which it was handed out, 0 if unknown
     * @param first how many it asks for at first
     * @param oneThread it is called on the walk's thread
     */
    Listener(Journal journal, Thing subject, Call call, ObjIntConsumer<E> taken, int first, boolean oneThread) {
        this.journal = journal;
        this.subject = subject;
        this.call = call;
        this.taken = taken;
        this.first = first;
        this.oneThread = oneThread;
    }

    Call call() {
        return call;
    }

    /** It was refused, or its stream has ended. */
    boolean wasTold() {
        return told;
    }

    Optional<Errno> refusal() {
        return refusal;
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

    void cancel() {
        Flow.Subscription given = subscription;
        if (given != null) {
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
                error instanceof VerbsException refused
                        ? Optional.of(refused.errno())
                        : Optional.of(unknown(error))));
    }

    @Override
    public void onComplete() {
        journal.note(() -> over(Optional.empty()));
    }

    private Errno unknown(Throwable error) {
        throw journal.wrong(subject + "'s stream ended with what is no refusal of a verb: " + error, List.of(subject));
    }

    private void over(Optional<Errno> how) {
        if (told) {
            throw journal.wrong(subject + "'s stream ended twice for one subscriber", List.of(subject));
        }
        told = true;
        refusal = how;
    }
}
