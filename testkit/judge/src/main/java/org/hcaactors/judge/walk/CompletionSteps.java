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
import org.hcaactors.judge.walk.WalkObjects.Opened;
import org.hcaactors.judge.walk.WalkObjects.Ring;

/** Steps that poll, arm, wait, subscribe and cancel. */
final class CompletionSteps {
    private static final int MANY = 64;
    private static final Duration SHORT = Duration.ofNanos(4000);

    private final WalkContext walk;

    CompletionSteps(WalkContext walk) {
        this.walk = walk;
    }

    void poll() {
        walk.pick(Ring.class).ifPresent(ring -> poll(ring, 1 + walk.random.nextInt(MANY)));
    }

    Call poll(Ring ring, int max) {
        Call call = walk.journal.begin("poll " + ring.name(), List.of(ring));
        walk.journal.later(
                call,
                ended -> AllowedAnswers.using(ended, ring)
                        .orRefusedIf(mayListen(ring.listeners, ended.began()), Errno.EBUSY)
                        .orRefusedIf(ring.mayHaveFailed(), Errno.EIO),
                () -> ring.handle().poll(max),
                polled -> polled.forEach(each -> walk.requests.polled(ring, each, call.began())));
        return call;
    }

    /** True if a listener may still poll; a cancelled one does so for a short, unknown time. */
    private static boolean mayListen(List<Listener<?>> listeners, int since) {
        return listeners.stream().anyMatch(listener -> !listener.wasToldBefore(since));
    }

    void arm() {
        walk.pick(Ring.class).ifPresent(ring -> {
            Call call = walk.journal.begin("arm " + ring.name(), List.of(ring));
            walk.journal.now(
                    call,
                    ended -> AllowedAnswers.using(ended, ring),
                    () -> ring.handle().arm(walk.oneIn(3) ? CompletionQueue.Arm.SOLICITED : CompletionQueue.Arm.ANY));
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
        boolean known = walk.all(Ring.class).stream()
                .anyMatch(ring -> ring.uses().contains(channel) && ring.handle().equals(queue));
        if (!known) {
            throw walk.journal.wrong(
                    channel + " reported an event of a completion queue that does not use this channel",
                    List.of(channel));
        }
    }

    void awaitEvent() {
        walk.pick(Opened.class).ifPresent(context -> {
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
                walk.pick(Opened.class)
                        .ifPresent(context -> listen(
                                context, context.handle().asyncEvents(), context.listeners, (event, moment) -> {}));
            default ->
                walk.pick(Ring.class)
                        .ifPresent(ring -> listen(
                                ring,
                                ring.handle().completions(walk.oneIn(2) ? Delivery.CALLERS : Delivery.ADAPTER_THREAD),
                                ring.listeners,
                                (entry, moment) -> walk.requests.polled(ring, entry, moment)));
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
                walk.ground.hasOneThread(),
                mayListen(others, call.began()) || !(subject instanceof Ring));
        others.add(listener);
        walk.journal.now(call, ended -> AllowedAnswer.SUCCESS_ONLY, () -> publisher.subscribe(listener));
    }

    private Optional<Listener<?>> anyListener(boolean cancelledToo) {
        return walk.anyOf(walk.open(WalkObject.class).stream()
                .flatMap(thing -> listenersOf(thing).stream())
                .filter(listener ->
                        !listener.wasToldBefore(walk.journal.now() + 1) && (cancelledToo || !listener.isCancelled()))
                .toList());
    }

    static List<Listener<?>> listenersOf(WalkObject thing) {
        if (thing instanceof Ring ring) {
            return ring.listeners;
        }
        if (thing instanceof Channel channel) {
            return channel.listeners;
        }
        return thing instanceof Opened context ? context.listeners : List.of();
    }

    void demand() {
        anyListener(true).ifPresent(listener -> listener.request(1 + walk.random.nextInt(MANY)));
    }

    void cancel() {
        anyListener(false).ifPresent(Listener::cancel);
    }

    void moderate() {
        walk.pick(Ring.class).ifPresent(ring -> {
            boolean can = ring.context.program.adapter.profile().completions().canModerate();
            Call call = walk.journal.begin("moderate " + ring.name(), List.of(ring));
            walk.journal.later(
                    call,
                    ended -> AllowedAnswers.using(ended, ring)
                            .orRefusedIf(!can, Errno.EOPNOTSUPP)
                            .onlyRefusedIf(!can),
                    () -> ring.handle().moderate(walk.random.nextInt(4), SHORT),
                    done -> {});
        });
    }

    /**
     * Resizes to the current size or more: a smaller size is refused if entries would not fit, and the losses would be
     * unpredictable.
     */
    void resize() {
        walk.pick(Ring.class).ifPresent(ring -> {
            int entries = ring.places + walk.random.nextInt(ring.places);
            Call call = walk.journal.begin("resize " + ring.name() + " to " + entries, List.of(ring));
            walk.journal.later(
                    call,
                    ended -> AllowedAnswers.using(ended, ring).orRefusedIf(true, Errno.EINVAL),
                    () -> ring.handle().resize(entries),
                    done -> {});
        });
    }
}
