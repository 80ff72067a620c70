// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.SendFlags;

/**
 * Requests over many reliable connections at once, in batches; every request has its own slots on both sides, and every byte is
 * compared when it has completed. Each connection has a word at the peer that its atomics increment.
 */
final class RcLoad {
    /** Kinds of requests. */
    enum Kind {
        READ,
        WRITE,
        SEND,
        FETCH_ADD,
        COMPARE_SWAP
    }

    /** A request to be posted. */
    record Op(Kind kind, int bytes) {}

    private final Ground ground;
    private final int batch;
    private final ProtectionDomain here;
    private final ProtectionDomain there;
    private final CompletionQueue sendCq;
    private final CompletionQueue recvCq;
    private final Slots ours;
    private final Slots theirs;
    private final Slots words;
    private final List<QpPair<RcQueuePair>> pairs = new ArrayList<>();

    /** Allocates slots for {@code max} connections with {@code batch} requests in progress each. */
    RcLoad(Ground ground, int max, int batch, int maxBytes) {
        this.ground = ground;
        this.batch = batch;
        here = domain(ground.a());
        there = domain(ground.b());
        sendCq = ground.await(here.context().createCq(max * batch));
        recvCq = ground.await(there.context().createCq(max * batch));
        ours = slots(here, ground.a(), max * batch, maxBytes, 0);
        theirs = slots(there, ground.b(), max * batch, maxBytes, 1);
        words = slots(there, ground.b(), max, Long.BYTES, 1);
    }

    private static ProtectionDomain domain(Adapter adapter) {
        return adapter.process("load").open().allocatePd();
    }

    private Slots slots(ProtectionDomain domain, Adapter adapter, int count, int bytes, int owner) {
        return Slots.of(ground, adapter.process("load"), domain, count, bytes, owner);
    }

    static Supplier<Op> always(Kind kind, int bytes) {
        return () -> new Op(kind, bytes);
    }

    /** Returns requests drawn by a seed, all kinds and sizes equally often; atomics have eight bytes. */
    static Supplier<Op> mixed(long seed, List<Kind> kinds, int... sizes) {
        Random random = new Random(seed);
        return () -> {
            Kind kind = kinds.get(random.nextInt(kinds.size()));
            boolean atomic = kind == Kind.FETCH_ADD || kind == Kind.COMPARE_SWAP;
            return new Op(kind, atomic ? Long.BYTES : sizes[random.nextInt(sizes.length)]);
        };
    }

    RcLoad connect(int count, RcConnection attributes) {
        QpCapacity capacity = QpCapacity.of(batch).withMaxSge(1).withMaxInlineBytes(0);
        for (int i = 0; i < count; i++) {
            words.word(pairs.size(), 0);
            pairs.add(ground.await(QpPair.connectRc(
                    here,
                    QpDescription.rc().withSendCq(sendCq).withCapacity(capacity),
                    there,
                    QpDescription.rc().withSendCq(recvCq).withCapacity(capacity),
                    attributes)));
        }
        return this;
    }

    RcLoad connect(int count) {
        return connect(count, RcConnection.DEFAULT);
    }

    /** Destroys every connection; the words of later ones begin at 0 again. */
    void disconnect() {
        for (QpPair<RcQueuePair> pair : pairs) {
            for (Handle end : List.of(pair.local(), pair.remote())) {
                ground.await(end.closeAsync());
            }
        }
        pairs.clear();
    }

    /** Runs that many batches on every connection, one after the other; atomics continue from the current values. */
    void run(int batches, Supplier<Op> draw) {
        for (int round = 0; round < batches; round++) {
            List<Op> ops = new ArrayList<>();
            long[] counted = new long[pairs.size()];
            for (int i = 0; i < pairs.size(); i++) {
                counted[i] = words.word(i);
            }
            for (int slot = 0; slot < pairs.size() * batch; slot++) {
                ops.add(draw.get());
                post(slot, ops.get(slot), counted);
            }
            check(ops, counted);
        }
    }

    private void post(int slot, Op op, long[] counted) {
        int connection = slot / batch;
        if (op.kind == Kind.SEND) {
            pairs.get(connection).remote().postReceive(Receive.of(slot, theirs.local(slot, op.bytes)));
        }
        pairs.get(connection).local().post(work(slot, op, counted).withFlags(SendFlags.SIGNALED));
    }

    private RcWork work(int slot, Op op, long[] counted) {
        int connection = slot / batch;
        var local = ours.local(slot, op.bytes);
        return switch (op.kind) {
            case READ -> RdmaRead.of(slot, local, theirs.remote(slot));
            case WRITE -> RdmaWrite.of(slot, local, theirs.remote(slot));
            case SEND -> Send.of(slot, local);
            case FETCH_ADD -> {
                counted[connection]++;
                yield FetchAdd.of(slot, local, words.remote(connection), 1);
            }
            case COMPARE_SWAP -> {
                long before = counted[connection]++;
                yield CompareAndSwap.of(slot, local, words.remote(connection), before, before + 1);
            }
        };
    }

    private void check(List<Op> ops, long[] counted) {
        List<WorkCompletion> sent = ground.all(sendCq);
        assertThat(sent).hasSameSizeAs(ops).allMatch(WorkCompletion::isSuccess);
        assertThat(sent).extracting(WorkCompletion::workId).doesNotHaveDuplicates();
        assertThat(ground.all(recvCq))
                .hasSize((int) ops.stream().filter(op -> op.kind == Kind.SEND).count())
                .allMatch(WorkCompletion::isSuccess);
        for (int slot = 0; slot < ops.size(); slot++) {
            check(slot, ops.get(slot));
        }
        for (int i = 0; i < counted.length; i++) {
            assertThat(words.word(i)).as("what connection %d counted", i).isEqualTo(counted[i]);
        }
    }

    private void check(int slot, Op op) {
        switch (op.kind) {
            case READ -> refill(ours, slot, theirs.pattern(slot, op.bytes));
            case WRITE, SEND -> refill(theirs, slot, ours.pattern(slot, op.bytes));
            case FETCH_ADD, COMPARE_SWAP -> {
                assertThat(ours.word(slot)).as("what was fetched").isBetween(0L, words.word(slot / batch) - 1);
                refill(ours, slot, new byte[0]);
            }
        }
    }

    private static void refill(Slots slots, int slot, byte[] expected) {
        slots.holds(slot, 0, expected);
        slots.restore(slot);
    }
}
