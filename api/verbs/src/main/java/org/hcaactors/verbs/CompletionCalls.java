// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.device.AsyncEvent;

/** Calls for completion queues. Any thread; waits. */
final class CompletionCalls {
    /** Turns of the adapter's actors, more than a datagram takes from its work queue to its completion. */
    private static final int SETTLING_TURNS = 16;

    private final Session session;

    CompletionCalls(Session session) {
        this.session = session;
    }

    void create(Block words) {
        OpenedDevice device = session.get(words, Calls.CreateCq.CONTEXT, OpenedDevice.class);
        CompletionQueue queue = session.await(device.context().createCq(description(words, device)));
        VerbsQueue known = new VerbsQueue(device, queue, words.word(Calls.CreateCq.COOKIE), clock(device));
        device.reports(known);
        device.add(AsyncEvent.Source.COMPLETION_QUEUE, queue.number(), known.cookie());
        session.add(words, Calls.CreateCq.CQ, known);
        words.put(Calls.CreateCq.CQE, queue.capacity());
    }

    private WallClock clock(OpenedDevice device) {
        ServedAdapter served = session.served();
        return new WallClock(
                device.context()::clockTicks,
                served.adapter().profile().completions().clockKilohertz(),
                served.slower());
    }

    private CqDescription description(Block words, OpenedDevice device) {
        CqDescription wanted = CqDescription.of(words.number(Calls.CreateCq.CQE))
                .withVector(words.number(Calls.CreateCq.VECTOR))
                .withProducerIndex(new ProducerIndex(words.word(Calls.CreateCq.PRODUCER)));
        if (words.isSet(Calls.CreateCq.CHANNEL)) {
            wanted = wanted.withChannel(device.channel(session::await));
        }
        if (words.isSet(Calls.CreateCq.TIMESTAMPS)) {
            wanted = wanted.withTimestamps();
        }
        return words.isSet(Calls.CreateCq.IGNORE_OVERRUN) ? wanted.withIgnoreOverrun() : wanted;
    }

    void resize(Block words) {
        CompletionQueue queue =
                session.get(words, Calls.ResizeCq.CQ, VerbsQueue.class).queue();
        int entries = words.number(Calls.ResizeCq.CQE);
        if (entries < queue.capacity()) {
            settle(queue);
        }
        session.await(queue.resize(entries));
        words.put(Calls.ResizeCq.CQE, queue.capacity());
    }

    /**
     * Lets requests complete that leave at once. On hardware a resize is a command of the firmware, and takes longer than they do:
     * a queue is not made smaller than what was posted just before.
     */
    private void settle(CompletionQueue queue) {
        for (int turn = 0; turn < SETTLING_TURNS; turn++) {
            session.await(queue.resize(queue.capacity()));
        }
    }

    void moderate(Block words) {
        CompletionQueue queue =
                session.get(words, Calls.ModerateCq.CQ, VerbsQueue.class).queue();
        Duration period = Duration.of(words.word(Calls.ModerateCq.PERIOD_US), ChronoUnit.MICROS);
        session.await(queue.moderate(words.number(Calls.ModerateCq.COUNT), period));
    }

    void destroy(Block words) {
        VerbsQueue known = session.get(words, Calls.DestroyCq.CQ, VerbsQueue.class);
        session.await(known.queue().destroy());
        known.device().reportsNoMore(known);
        known.device().remove(AsyncEvent.Source.COMPLETION_QUEUE, known.queue().number(), known.cookie());
        session.remove(words, Calls.DestroyCq.CQ);
    }
}
