// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Flow;
import java.util.function.ObjIntConsumer;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Delivery;
import org.hcaactors.api.error.Errno;
import org.hcaactors.judge.walk.WalkObjects.Channel;
import org.hcaactors.judge.walk.WalkObjects.CqModel;
import org.hcaactors.judge.walk.WalkObjects.OpenedContext;

/** Steps that poll, arm, wait, subscribe and cancel. */
final class CompletionSteps {
    private static final int MANY = 64;
    private static final Duration SHORT = Duration.ofNanos(4000);

    private final WalkContext walk;

    CompletionSteps(WalkContext walk) {
        this.walk = walk;
    }

    void poll() {
        walk.pick(CqModel.class).ifPresent(cq -> poll(cq, 1 + walk.random.nextInt(MANY)));
    }

    Call poll(CqModel cq, int max) {
        Call call = walk.journal.begin("poll " + cq.name(), List.of(cq));
        walk.journal.later(
                call,
                ended -> AllowedAnswers.using(ended, cq)
                        .orRefusedIf(mayListen(cq.listeners, ended.began()), Errno.EBUSY)
                        .orRefusedIf(cq.mayHaveFailed(), Errno.EIO),
                () -> cq.handle().poll(max),
                polled -> polled.forEach(each -> walk.requests.polled(cq, each, call.began())));
        return call;
    }

    /** True if a listener may still poll; a cancelled one does so for a short, unknown time. */
    private static boolean mayListen(List<Listener<?>> listeners, int since) {
        return listeners.stream().anyMatch(listener -> !listener.wasTerminatedBefore(since));
    }

    void arm() {
        walk.pick(CqModel.class).ifPresent(cq -> {
            Call call = walk.journal.begin("arm " + cq.name(), List.of(cq));
            walk.journal.now(
                    call,
                    ended -> AllowedAnswers.using(ended, cq),
                    () -> cq.handle().arm(walk.oneIn(3) ? CompletionQueue.Arm.SOLICITED : CompletionQueue.Arm.ANY));
        });
    }

    void await() {
        walk.pick(Channel.class).ifPresent(channel -> {
            Call call = walk.journal
                    .begin("wait at " + channel.name(), List.of(channel))
                    .mayLast();
            walk.journal.later(
                    call,
                    ended -> AllowedAnswers.using(ended, channel)
                            .orRefusedIf(mayListen(channel.listeners, ended.began()), Errno.EBUSY),
                    () -> channel.handle().next(),
                    queue -> reportsTo(channel, queue));
        });
    }

    private void reportsTo(Channel channel, CompletionQueue queue) {
        boolean reporting = walk.all(CqModel.class).stream()
                .anyMatch(cq -> cq.uses().contains(channel) && cq.handle().equals(queue));
        if (!reporting) {
            throw walk.journal.wrong(
                    channel + " reported an event of a completion queue that does not use this channel",
                    List.of(channel));
        }
    }

    void awaitEvent() {
        walk.pick(OpenedContext.class).ifPresent(context -> {
            Call call = walk.journal
                    .begin("wait for an event of " + context.name(), List.of(context))
                    .mayLast();
            walk.journal.later(
                    call,
                    ended -> AllowedAnswers.using(ended, context)
                            .orRefusedIf(mayListen(context.listeners, ended.began()), Errno.EBUSY),
                    () -> context.handle().nextAsyncEvent(),
                    event -> {});
        });
    }

    void subscribe() {
        switch (walk.random.nextInt(4)) {
            case 0 ->
                walk.pick(Channel.class)
                        .ifPresent(channel -> listen(
                                channel,
                                channel.handle().wakeups(),
                                channel.listeners,
                                (queue, moment) -> reportsTo(channel, queue)));
            case 1 ->
                walk.pick(OpenedContext.class)
                        .ifPresent(context -> listen(
                                context, context.handle().asyncEvents(), context.listeners, (event, moment) -> {}));
            default ->
                walk.pick(CqModel.class)
                        .ifPresent(cq -> listen(
                                cq,
                                cq.handle().completions(walk.oneIn(2) ? Delivery.CALLERS : Delivery.ADAPTER_THREAD),
                                cq.listeners,
                                (entry, moment) -> walk.requests.polled(cq, entry, moment)));
        }
    }

    private <E> void listen(
            WalkObject subject, Flow.Publisher<E> publisher, List<Listener<?>> others, ObjIntConsumer<E> taken) {
        Call call = walk.journal.begin("subscribe to " + subject.name(), List.of(subject));
        Listener<E> listener = new Listener<>(
                walk.journal,
                subject,
                call,
                taken,
                1 + walk.random.nextInt(walk.oneIn(2) ? 4 : MANY),
                walk.environment.hasOneThread(),
                mayListen(others, call.began()) || !(subject instanceof CqModel));
        others.add(listener);
        walk.journal.now(call, ended -> AllowedAnswer.SUCCESS_ONLY, () -> publisher.subscribe(listener));
    }

    private Optional<Listener<?>> anyListener(boolean cancelledToo) {
        return walk.anyOf(walk.open(WalkObject.class).stream()
                .flatMap(thing -> listenersOf(thing).stream())
                .filter(listener -> !listener.wasTerminatedBefore(walk.journal.now() + 1)
                        && (cancelledToo || !listener.isCancelled()))
                .toList());
    }

    static List<Listener<?>> listenersOf(WalkObject thing) {
        if (thing instanceof CqModel cq) {
            return cq.listeners;
        }
        if (thing instanceof Channel channel) {
            return channel.listeners;
        }
        return thing instanceof OpenedContext context ? context.listeners : List.of();
    }

    void demand() {
        anyListener(true).ifPresent(listener -> listener.request(1 + walk.random.nextInt(MANY)));
    }

    void cancel() {
        anyListener(false).ifPresent(Listener::cancel);
    }

    void moderate() {
        walk.pick(CqModel.class).ifPresent(cq -> {
            boolean can = cq.context.program.adapter.profile().completions().canModerate();
            Call call = walk.journal.begin("moderate " + cq.name(), List.of(cq));
            walk.journal.later(
                    call,
                    ended -> AllowedAnswers.using(ended, cq)
                            .orRefusedIf(!can, Errno.EOPNOTSUPP)
                            .onlyRefusedIf(!can),
                    () -> cq.handle().moderate(walk.random.nextInt(4), SHORT),
                    done -> {});
        });
    }

    /**
     * Resizes to the current size or more: a smaller size is refused if entries would not fit, and the losses would be
     * unpredictable.
     */
    void resize() {
        walk.pick(CqModel.class).ifPresent(cq -> {
            int entries = cq.places + walk.random.nextInt(cq.places);
            Call call = walk.journal.begin("resize " + cq.name() + " to " + entries, List.of(cq));
            walk.journal.later(
                    call,
                    ended -> AllowedAnswers.using(ended, cq).orRefusedIf(true, Errno.EINVAL),
                    () -> cq.handle().resize(entries),
                    done -> {});
        });
    }
}
