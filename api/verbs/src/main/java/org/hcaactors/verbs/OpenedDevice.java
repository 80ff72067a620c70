// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.DeviceContext;

/**
 * A device that the program opened ({@code ibv_context}): passes events to the C side by the cookies of its objects. Events of
 * the adapter name numbers, of which several opened handles of an XRC target share one; each of them gets the event.
 *
 * <p>Thread-safe. Events pass on the adapter's thread; an event is acknowledged when the C side has it, and destroying an object
 * waits for that, so that none comes afterwards.
 */
final class OpenedDevice implements Opened {
    private record Element(AsyncEvent.Source source, int number) {}

    private final DeviceContext context;
    private final long cookie;
    private final ProgramEvents events;
    private final Map<Element, List<Long>> cookies = new LinkedHashMap<>();
    private final Map<CompletionQueue, VerbsQueue> reporting = new ConcurrentHashMap<>();
    private Optional<CompletionChannel> channel = Optional.empty();

    OpenedDevice(DeviceContext context, long cookie, ProgramEvents events) {
        this.context = context;
        this.cookie = cookie;
        this.events = events;
        each(context::nextAsyncEvent, this::raised);
    }

    /** Passes on one event after the other, until there are no more. */
    private static <E> void each(Supplier<CompletionStage<E>> next, Consumer<E> then) {
        next.get().thenAccept(event -> {
            then.accept(event);
            each(next, then);
        });
    }

    @Override
    public OpenedDevice device() {
        return this;
    }

    DeviceContext context() {
        return context;
    }

    /**
     * Returns the channel to which all its completion queues report; those of the program are the C side's.
     *
     * @param await waits for a verb
     */
    synchronized CompletionChannel channel(Function<CompletionStage<CompletionChannel>, CompletionChannel> await) {
        if (channel.isEmpty()) {
            CompletionChannel created = await.apply(context.createChannel());
            each(created::next, this::reported);
            channel = Optional.of(created);
        }
        return channel.get();
    }

    private void reported(CompletionQueue queue) {
        VerbsQueue known = reporting.get(queue);
        if (known != null) {
            events.completion(known.cookie());
        }
    }

    /** The queue's events go to the program. */
    void reports(VerbsQueue queue) {
        reporting.put(queue.queue(), queue);
    }

    void reportsNoMore(VerbsQueue queue) {
        reporting.remove(queue.queue());
    }

    /** Adds the cookie of an object whose events name that number. */
    void add(AsyncEvent.Source source, int number, long element) {
        synchronized (cookies) {
            cookies.computeIfAbsent(new Element(source, number), any -> new ArrayList<>(1))
                    .add(element);
        }
    }

    void remove(AsyncEvent.Source source, int number, long element) {
        synchronized (cookies) {
            cookies.computeIfPresent(new Element(source, number), (key, all) -> {
                all.remove(element);
                return all.isEmpty() ? null : all;
            });
        }
    }

    private void raised(AsyncEvent event) {
        for (long element : elements(event)) {
            events.asynchronous(cookie, event.kind().code(), element);
        }
    }

    private List<Long> elements(AsyncEvent event) {
        return switch (event.kind().source()) {
            case DEVICE, PORT -> List.of((long) event.element());
            case QUEUE_PAIR, COMPLETION_QUEUE, SHARED_RECEIVE_QUEUE -> {
                synchronized (cookies) {
                    yield List.copyOf(
                            cookies.getOrDefault(new Element(event.kind().source(), event.element()), List.of()));
                }
            }
        };
    }
}
