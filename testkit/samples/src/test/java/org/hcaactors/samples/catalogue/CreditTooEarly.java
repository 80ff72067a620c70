// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.LongStream;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;

/**
 * A producer WRITEs into a ring of slots at its consumer, and the consumer returns a slot before its worker has read it. The
 * producer overwrites an unread slot: one item is lost, another is read twice. Correct: read the slot first, then return it.
 */
final class CreditTooEarly {
    private static final int ITEMS = 24;
    private static final int SLOTS = 2;

    /** Handling of a full slot by the consumer. */
    private interface Consuming {
        void of(Executor worker, Runnable read, Runnable giveBack);
    }

    private static final Consuming WRONG = (worker, read, giveBack) -> {
        worker.execute(read);
        giveBack.run();
    };

    private static final Consuming RIGHT = (worker, read, giveBack) -> {
        worker.execute(() -> {
            read.run();
            giveBack.run();
        });
    };

    static Entry entry() {
        return Entry.of(
                CreditTooEarly.class,
                "a ring's slot is given back before it was read",
                world -> new CreditTooEarly(world, WRONG).run(world),
                world -> new CreditTooEarly(world, RIGHT).run(world));
    }

    private final CompletableFuture<Void> all = new CompletableFuture<>();
    private final List<Long> consumed = new ArrayList<>();
    private final Consuming consuming;
    private final RcEnd producer;
    private final RcEnd consumer;
    private final Executor worker;
    private int produced;

    private CreditTooEarly(World world, Consuming consuming) {
        this.consuming = consuming;
        // A credit says that an item was read, not that the adapter has released its buffer. Inline data are copied at
        // once.
        Shape inline = Shape.DEFAULT.with(QpCapacity.DEFAULT.withMaxInlineBytes(8));
        ConnectedPair pair = world.connect(world.adapter("producer"), world.adapter("consumer"), inline);
        producer = pair.a();
        consumer = pair.b();
        worker = world.executor(consumer.context().process(), 1);
    }

    private void run(World world) {
        for (int i = 0; i < ITEMS; i++) {
            consumer.postReceive(Receive.of(i));
            producer.postReceive(Receive.of(i));
        }
        consumer.recvCq()
                .completions()
                .subscribe(Subscribers.forEach(full -> full.immediate().ifPresent(this::consume)));
        producer.recvCq()
                .completions()
                .subscribe(Subscribers.forEach(free -> free.immediate().ifPresent(this::produce)));
        for (int slot = 0; slot < SLOTS; slot++) {
            produce(slot);
        }
        world.await(all);
        assertThat(consumed)
                .as("items")
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, ITEMS).boxed().toList());
    }

    private void produce(int slot) {
        if (produced < ITEMS) {
            producer.memory().writeLong(8L * slot, produced++);
            producer.submit(RdmaWrite.of(slot, producer.slice(8L * slot, 8), consumer.remote(8L * slot))
                    .withImmediate(slot)
                    .withInline());
        }
    }

    private void consume(int slot) {
        consuming.of(worker, () -> read(slot), () -> giveBack(slot));
    }

    private void read(int slot) {
        consumed.add(consumer.memory().readLong(8L * slot));
        if (consumed.size() == ITEMS) {
            all.complete(null);
        }
    }

    /** Writes no data: the immediate is the slot's number. */
    private void giveBack(int slot) {
        consumer.submit(
                RdmaWrite.of(slot, consumer.slice(0, 0), producer.remote(0)).withImmediate(slot));
    }
}
