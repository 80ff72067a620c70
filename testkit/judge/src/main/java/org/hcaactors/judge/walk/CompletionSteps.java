// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Flow;
import java.util.function.ObjIntConsumer;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.error.Errno;
import org.hcaactors.judge.walk.Things.Channel;
import org.hcaactors.judge.walk.Things.Opened;
import org.hcaactors.judge.walk.Things.Ring;

/** Polling, arming, waiting, listening and no longer listening. */
final class CompletionSteps {
    private static final int MANY = 64;
    private static final Duration SHORT = Duration.ofNanos(4000);

    private final Scene scene;

    CompletionSteps(Scene scene) {
        this.scene = scene;
    }

    void poll() {
        scene.pick(Ring.class).ifPresent(ring -> poll(ring, 1 + scene.lots.nextInt(MANY)));
    }

    Call poll(Ring ring, int most) {
        Call call = scene.journal.begin("poll " + ring.name(), List.of(ring));
        scene.journal.later(
                call,
                ended -> Outcomes.using(ended, ring)
                        .orRefusedIf(mayListen(ring.listeners, ended.began()), Errno.EBUSY)
                        .orRefusedIf(ring.mayHaveFailed(), Errno.EIO),
                () -> ring.handle().poll(most),
                polled -> polled.forEach(each -> scene.requests.polled(ring, each, call.began())));
        return call;
    }

    /** One that was cancelled still polls for a moment, and which is not known. */
    private static boolean mayListen(List<Listener<?>> listeners, int since) {
        return listeners.stream().anyMatch(listener -> !listener.wasToldBefore(since));
    }

    void arm() {
        scene.pick(Ring.class).ifPresent(ring -> {
            Call call = scene.journal.begin("arm " + ring.name(), List.of(ring));
            scene.journal.now(
                    call,
                    ended -> Outcomes.using(ended, ring),
                    () -> ring.handle().arm(scene.oneIn(3) ? CompletionQueue.Arm.SOLICITED : CompletionQueue.Arm.ANY));
        });
    }

    void await() {
        scene.pick(Channel.class).ifPresent(channel -> {
            Call call = scene.journal
                    .begin("wait at " + channel.name(), List.of(channel))
                    .mayLast();
            scene.journal.later(
                    call,
                    ended -> Outcomes.using(ended, channel)
                            .orRefusedIf(mayListen(channel.listeners, ended.began()), Errno.EBUSY),
                    () -> channel.handle().next(),
                    queue -> reportsTo(channel, queue));
        });
    }

    private void reportsTo(Channel channel, CompletionQueue queue) {
        boolean known = scene.all(Ring.class).stream()
                .anyMatch(ring -> ring.uses().contains(channel) && ring.handle().equals(queue));
        if (!known) {
            throw scene.journal.wrong(
                    channel + " woke somebody for a queue that does not report to it", List.of(channel));
        }
    }

    void awaitEvent() {
        scene.pick(Opened.class).ifPresent(context -> {
            Call call = scene.journal
                    .begin("wait for an event of " + context.name(), List.of(context))
                    .mayLast();
            scene.journal.later(
                    call,
                    ended -> Outcomes.using(ended, context)
                            .orRefusedIf(mayListen(context.listeners, ended.began()), Errno.EBUSY),
                    () -> context.handle().nextAsyncEvent(),
                    event -> {});
        });
    }

    void subscribe() {
        switch (scene.lots.nextInt(4)) {
            case 0 ->
                scene.pick(Channel.class)
                        .ifPresent(channel -> listen(
                                channel,
                                channel.handle().wakeups(),
                                channel.listeners,
                                (queue, moment) -> reportsTo(channel, queue)));
            case 1 ->
                scene.pick(Opened.class)
                        .ifPresent(context -> listen(
                                context, context.handle().asyncEvents(), context.listeners, (event, moment) -> {}));
            default ->
                scene.pick(Ring.class)
                        .ifPresent(ring -> listen(
                                ring,
                                scene.oneIn(2)
                                        ? ring.handle().completions()
                                        : ring.handle().completionsOnAdapterThread(),
                                ring.listeners,
                                (entry, moment) -> scene.requests.polled(ring, entry, moment)));
        }
    }

    private <E> void listen(
            Thing subject, Flow.Publisher<E> publisher, List<Listener<?>> others, ObjIntConsumer<E> taken) {
        Call call = scene.journal.begin("listen to " + subject.name(), List.of(subject));
        Listener<E> listener = new Listener<>(
                scene.journal,
                subject,
                call,
                taken,
                1 + scene.lots.nextInt(scene.oneIn(2) ? 4 : MANY),
                scene.ground.hasOneThread(),
                mayListen(others, call.began()) || !(subject instanceof Ring));
        others.add(listener);
        scene.journal.now(call, ended -> AllowedAnswer.SUCCESS_ONLY, () -> publisher.subscribe(listener));
    }

    private Optional<Listener<?>> anyListener(boolean cancelledToo) {
        return scene.anyOf(scene.open(Thing.class).stream()
                .flatMap(thing -> listenersOf(thing).stream())
                .filter(listener ->
                        !listener.wasToldBefore(scene.journal.now() + 1) && (cancelledToo || !listener.isCancelled()))
                .toList());
    }

    static List<Listener<?>> listenersOf(Thing thing) {
        if (thing instanceof Ring ring) {
            return ring.listeners;
        }
        if (thing instanceof Channel channel) {
            return channel.listeners;
        }
        return thing instanceof Opened context ? context.listeners : List.of();
    }

    void demand() {
        anyListener(true).ifPresent(listener -> listener.request(1 + scene.lots.nextInt(MANY)));
    }

    void cancel() {
        anyListener(false).ifPresent(Listener::cancel);
    }

    void moderate() {
        scene.pick(Ring.class).ifPresent(ring -> {
            boolean can = ring.context.program.adapter.profile().completions().canModerate();
            Call call = scene.journal.begin("moderate " + ring.name(), List.of(ring));
            scene.journal.later(
                    call,
                    ended -> Outcomes.using(ended, ring)
                            .orRefusedIf(!can, Errno.EOPNOTSUPP)
                            .onlyRefusedIf(!can),
                    () -> ring.handle().moderate(scene.lots.nextInt(4), SHORT),
                    done -> {});
        });
    }

    /** To what it has or more: smaller is refused where entries stand in the way, and what is lost then cannot be foretold. */
    void resize() {
        scene.pick(Ring.class).ifPresent(ring -> {
            int entries = ring.places + scene.lots.nextInt(ring.places);
            Call call = scene.journal.begin("resize " + ring.name() + " to " + entries, List.of(ring));
            scene.journal.later(
                    call,
                    ended -> Outcomes.using(ended, ring).orRefusedIf(true, Errno.EINVAL),
                    () -> ring.handle().resize(entries),
                    done -> {});
        });
    }
}
