// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.messages;

import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.stream.Subscribers;

/** An endpoint's only subscription; when it ends for any reason, the endpoint ends. */
final class TagListener implements Flow.Subscriber<WorkCompletion> {
    private final Consumer<WorkCompletion> action;
    private final Consumer<VerbsException> ended;
    private final Flow.Subscriber<WorkCompletion> completions;

    /** @param ended receives the reason of the end */
    TagListener(Consumer<WorkCompletion> action, Consumer<VerbsException> ended) {
        this.action = action;
        this.ended = ended;
        completions = Subscribers.forEach(
                this::take, reason -> ended.accept(ended("failed: " + reason.getMessage(), reason)));
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        completions.onSubscribe(subscription);
    }

    @Override
    public void onNext(WorkCompletion completion) {
        completions.onNext(completion);
    }

    /**
     * An exception here would be visible only to a waiting receive, so it ends the endpoint. A VerbsException, for example
     * because memory was unmapped, is not a bug.
     */
    private void take(WorkCompletion completion) {
        try {
            action.accept(completion);
        } catch (VerbsException refused) {
            ended.accept(undone(refused));
        } catch (RuntimeException thrown) {
            ended.accept(undone(thrown));
            throw thrown;
        }
    }

    private static VerbsException undone(RuntimeException thrown) {
        return new VerbsException(Errno.EIO, "the endpoint's completion handler threw: " + thrown, thrown);
    }

    @Override
    public void onError(Throwable reason) {
        completions.onError(reason);
    }

    @Override
    public void onComplete() {
        ended.accept(new VerbsException(Errno.EIO, "the endpoint's completion queue was destroyed"));
    }

    private static VerbsException ended(String how, Throwable reason) {
        return new VerbsException(Errno.EIO, "the endpoint's completion queue " + how, reason);
    }
}
