// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.lab.pair.MarkedBytes;
import org.jspecify.annotations.Nullable;

/**
 * Thread that posts on all connections of its group. Each message has its own slot on both sides until it ends; a failed one
 * keeps its slot, since its packets may still be on the way.
 */
final class PostingThread implements Runnable {
    static final int SLOT_BYTES = 8192;
    static final int AREA_BYTES = 16 * SLOT_BYTES;

    private static final int SLOTS = AREA_BYTES / SLOT_BYTES;
    private static final int MAX_BYTES_OF_A_SEND = 4096;
    private static final int MILLIS_A_LOOK = 10;
    private static final int MILLIS_FOR_A_SLOT = 15_000;
    /** When queue pairs are destroyed, a posted request without a stage never ends. */
    private static final int MILLIS_IN_AN_UPHEAVAL = 200;

    private static final Message.Kind[] KINDS = Message.Kind.values();

    private final ConnectionGroup group;
    private final int number;
    private final SplittableRandom random;
    private final BlockingQueue<Integer> free = new ArrayBlockingQueue<>(SLOTS);
    private final AtomicInteger lost = new AtomicInteger();

    PostingThread(ConnectionGroup group, int number, SplittableRandom random) {
        this.group = group;
        this.number = number;
        this.random = random;
        for (int slot = 0; slot < SLOTS; slot++) {
            free.add(slot);
        }
    }

    ConnectionGroup group() {
        return group;
    }

    @Override
    public void run() {
        for (int i = 0; i < group.attributes.messages() && !group.isOver(); i++) {
            Integer slot = slot();
            if (slot == null) {
                return;
            }
            post(slot);
        }
    }

    /** Returns a free slot; null if there will be none any more. */
    private @Nullable Integer slot() {
        int max = group.attributes.calm() ? MILLIS_FOR_A_SLOT : MILLIS_IN_AN_UPHEAVAL;
        for (int waited = 0; waited < max && lost.get() < SLOTS && !group.isOver(); waited += MILLIS_A_LOOK) {
            try {
                Integer slot = free.poll(MILLIS_A_LOOK, TimeUnit.MILLISECONDS);
                if (slot != null) {
                    return slot;
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return null;
            }
        }
        if (group.attributes.calm() && !group.isOver()) {
            group.environment
                    .openStages()
                    .wrong("poster " + number + " has " + SLOTS
                            + " outstanding requests, and none of them completed within " + MILLIS_FOR_A_SLOT + " ms");
        }
        return null;
    }

    private void post(int slot) {
        QpPair<RcQueuePair> pair = group.pairs.get(random.nextInt(group.pairs.size()));
        Message.Kind kind = KINDS[random.nextInt(KINDS.length)];
        int max = kind == Message.Kind.SEND ? MAX_BYTES_OF_A_SEND : SLOT_BYTES;
        int length = kind.isAtomic() ? Long.BYTES : random.nextInt(MarkedBytes.MIN_BYTES, max + 1);
        // Each has a stage except some WRITEs, which complete through the queue.
        boolean signaled = kind == Message.Kind.WRITE && random.nextBoolean();
        Message message = new Message(
                this,
                kind,
                group.environment.tally().messages.incrementAndGet(),
                pair.local(),
                number * AREA_BYTES + slot * SLOT_BYTES,
                length,
                signaled);
        try {
            message.prepare();
        } catch (VerbsException unmapped) {
            lost.set(SLOTS);
            return;
        }
        group.expect(message);
        if (signaled) {
            postSignaled(message);
        } else {
            submit(message);
        }
    }

    private void postSignaled(Message message) {
        try {
            message.on().post(message.work());
        } catch (VerbsException refused) {
            message.failed(refused);
            group.forget(message);
        }
    }

    private void submit(Message message) {
        group.environment
                .given("submit", message, message.on().submit(message.work()))
                .whenComplete((done, failure) -> {
                    if (failure != null && OpenStages.unwrap(failure) instanceof VerbsException refused) {
                        message.failed(refused);
                    } else if (failure == null) {
                        message.ended(done);
                    }
                    group.forget(message);
                });
    }

    /**
     * Ends a message.
     *
     * @param again true if its slot may be reused
     */
    void ended(Message message, boolean again) {
        if (again) {
            free.add(message.offset() % AREA_BYTES / SLOT_BYTES);
        } else {
            lost.incrementAndGet();
        }
    }
}
