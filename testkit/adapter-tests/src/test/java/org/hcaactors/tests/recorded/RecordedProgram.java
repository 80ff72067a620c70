// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.ExtendedHeader.AtomicEth;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.recording.RecordedMemory;
import org.hcaactors.fabric.recording.RecordedQueuePair;
import org.hcaactors.fabric.recording.Recording;
import org.hcaactors.tests.recorded.RecordedMessages.Message;

/** The recorded program of this side on one RC connection: posts what was recorded, with the recorded data. */
final class RecordedProgram {
    private static final int LARGE_BYTES = 1 << 20;

    private final RecordedWorld side;
    private final RecordedQueuePair ends;
    private final RecordedMessages ofPeer;
    private final RecordedMessages own;
    private final List<Message> expected;
    private final MemoryRegion large;
    private final HostMemory memory;
    private final RcQueuePair qp;
    private final long[] opened;
    private final List<CompletionStage<WorkCompletion>> posted = new ArrayList<>();
    /** What is compared when a request is done, one for each. */
    private final List<Runnable> checks = new ArrayList<>();

    private long used;

    RecordedProgram(RecordedWorld side, Recording recording, RecordedQueuePair ends) {
        this(side, recording, ends, side.terms(ends));
    }

    RecordedProgram(RecordedWorld side, Recording recording, RecordedQueuePair ends, RcConnection terms) {
        this.side = side;
        this.ends = ends;
        ofPeer = new RecordedMessages(recording, ends, true);
        own = new RecordedMessages(recording, ends, false);
        expected = ofPeer.all();
        memory = side.adapter.process("app").allocate(LARGE_BYTES);
        large = side.world.await(side.domain.register(Registration.of(memory).withAccess(Access.values())));
        qp = side.world.await(side.domain.createQp(
                QpDescription.rc().withRecvCq(side.received).withCapacity(QpCapacity.of(512))));
        opened = new long[ends.memory().size()];
        openMemory();
        side.world.await(qp.connect(
                Gid.of(side.peer.address()), ends.peerNumber(), terms.withMtu(mtu(recording.pathMtuBytes()))));
        side.peer.exchange(ends, qp.number());
        postReceives();
    }

    private static PathMtu mtu(int bytes) {
        for (PathMtu each : PathMtu.values()) {
            if (each.bytes() == bytes) {
                return each;
            }
        }
        throw new AssertionError("no path MTU has " + bytes + " bytes");
    }

    private void openMemory() {
        for (int i = 0; i < opened.length; i++) {
            RecordedMemory each = ends.memory().get(i);
            opened[i] = take(each.bytes());
            side.peer.translate(each, large.rkey(), large.address() + opened[i]);
        }
        for (Message message : expected) {
            if (message.first().operation().family() == Operation.Family.READ) {
                memory.write(
                        placeOf(
                                message.first().reth().rkey(),
                                message.first().reth().address()),
                        message.bytes());
            } else if (message.first().operation().family() == Operation.Family.ATOMIC) {
                AtomicEth atomic = message.first().atomicEth();
                long place = placeOf(atomic.rkey(), atomic.address());
                if (memory.readLong(place) == 0) {
                    ofPeer.original(message.first()).ifPresent(value -> memory.writeLong(place, value));
                }
            }
        }
    }

    private long placeOf(int rkey, long address) {
        for (int i = 0; i < opened.length; i++) {
            if (ends.memory().get(i).rkey() == rkey) {
                return opened[i] + (address - ends.memory().get(i).address());
            }
        }
        throw new AssertionError("no memory has the key " + rkey);
    }

    private long take(long bytes) {
        long taken = used;
        used += bytes + 63 & ~63L;
        return taken;
    }

    private LocalSlice slice(long bytes) {
        return large.slice(take(bytes), (int) bytes);
    }

    private void postReceives() {
        for (Message message : expected) {
            if (message.takesReceive()) {
                qp.postReceive(Receive.of(1, slice(message.bytes().length)));
            }
        }
    }

    /** Posts all requests. */
    void post() {
        own.all().forEach(message -> posted.add(qp.submit(work(message))));
    }

    /** Posts all requests, so many at a time. */
    void post(int outstanding) {
        Deque<Message> waiting = new ArrayDeque<>(own.all());
        for (int i = 0; i < outstanding && !waiting.isEmpty(); i++) {
            postNext(waiting);
        }
    }

    private void postNext(Deque<Message> waiting) {
        if (!waiting.isEmpty()) {
            CompletionStage<WorkCompletion> stage = qp.submit(work(waiting.remove()));
            posted.add(stage);
            stage.thenRun(() -> postNext(waiting));
        }
    }

    /** Returns the statuses of the requests that are done, and compares what they read. */
    List<Status> done() {
        List<CompletableFuture<WorkCompletion>> done = posted.stream()
                .map(CompletionStage::toCompletableFuture)
                .filter(CompletableFuture::isDone)
                .toList();
        checks.subList(0, done.size()).forEach(Runnable::run);
        return done.stream().map(each -> each.resultNow().status()).toList();
    }

    private RcWork work(Message message) {
        checks.add(() -> {});
        return switch (message.first().operation().family()) {
            case SEND -> {
                Send send = Send.of(2, filled(message.bytes()));
                send = message.last().bth().solicited() ? send.withSolicited() : send;
                yield message.last().operation().carriesImmediate()
                        ? send.withImmediate(message.last().immediate().value())
                        : send;
            }
            case SEND_WITH_INVALIDATE ->
                Send.of(2, filled(message.bytes()))
                        .withInvalidate(message.last().ieth().rkey());
            case WRITE -> {
                RdmaWrite write = RdmaWrite.of(
                        3,
                        filled(message.bytes()),
                        new RemoteAddress(
                                message.first().reth().rkey(),
                                message.first().reth().address()));
                write = message.last().bth().solicited() ? write.withSolicited() : write;
                yield message.last().operation().carriesImmediate()
                        ? write.withImmediate(message.last().immediate().value())
                        : write;
            }
            case READ -> {
                int bytes = message.first().reth().lengthBytes();
                long place = used;
                LocalSlice into = slice(bytes);
                checks.set(
                        checks.size() - 1,
                        () -> assertThat(memory.read(place, message.bytes().length))
                                .isEqualTo(message.bytes()));
                yield RdmaRead.of(
                        4,
                        into,
                        new RemoteAddress(
                                message.first().reth().rkey(),
                                message.first().reth().address()));
            }
            case ATOMIC -> atomic(message);
            case READ_RESPONSE, ATOMIC_ACKNOWLEDGE, ACKNOWLEDGE, NOTIFY, SESSION ->
                throw new AssertionError(message.first().opcode() + " is no request of RC");
        };
    }

    private RcWork atomic(Message message) {
        AtomicEth header = message.first().atomicEth();
        RemoteAddress remote = new RemoteAddress(header.rkey(), header.address());
        long place = used;
        LocalSlice into = slice(Long.BYTES);
        own.original(message.first())
                .ifPresent(value -> checks.set(
                        checks.size() - 1,
                        () -> assertThat(memory.readLong(place)).isEqualTo(value)));
        return message.first().operation() == Operation.FETCH_ADD
                ? FetchAdd.of(5, into, remote, header.swapOrAdd())
                : CompareAndSwap.of(5, into, remote, header.compare(), header.swapOrAdd());
    }

    private LocalSlice filled(byte[] bytes) {
        long place = used;
        LocalSlice slice = slice(bytes.length);
        memory.write(place, bytes);
        return slice;
    }

    /** Compares the memory with what the last WRITE of the peer left there. */
    void checkWritten() {
        for (Message message : expected) {
            if (message.first().operation().isWrite() && message == lastTo(message)) {
                long place = placeOf(
                        message.first().reth().rkey(), message.first().reth().address());
                assertThat(memory.read(place, message.bytes().length)).isEqualTo(message.bytes());
            }
        }
    }

    private Message lastTo(Message message) {
        return expected.stream()
                .filter(each -> each.first().operation().isWrite()
                        && each.first().reth().address()
                                == message.first().reth().address())
                .reduce((a, b) -> b)
                .orElseThrow();
    }
}
