// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.jspecify.annotations.Nullable;

/**
 * A part of a peer's memory, read, written and updated over a channel without the peer's program. Operations run one after the other,
 * in the order of their calls; a program that wants more of them under way opens several.
 *
 * <p>An operation fails with EINVAL outside the part, with a {@link ChannelEndedException} if the channel has ended or the peer
 * refuses (then the channel ends, as its queue pair does, and the peer may or may not have executed the operation), and with what the
 * queue pair refuses, such as ENOMEM if its send queue is full, which has room for {@link EndpointDescription#oneSided} at least.
 *
 * <p>Threads: any. Limits: 1,024 operations wait, then EAGAIN; one that others interfere with is tried 64 times, then EAGAIN.
 */
public final class RemoteMemory implements Handle {
    private static final int MAX_WAITING = 1_024;
    private static final int MAX_ATTEMPTS = 64;

    private final MessageChannel channel;
    private final RemoteAddress start;
    private final long lengthBytes;
    private final int maxBytes;
    private final HostMemory memory;
    private final MemoryRegion region;
    private final ArrayDeque<Operation<?>> waiting = new ArrayDeque<>();
    private boolean busy;
    private @Nullable CompletionStage<Void> closing;

    private record Operation<T>(Supplier<CompletionStage<T>> work, CompletableFuture<T> done) {
        /** Completes when the operation has, after its caller's stage. */
        CompletionStage<?> run() {
            return started()
                    .handle((result, failure) -> failure == null
                            ? done.complete(result)
                            : done.completeExceptionally(StageFailure.itself(failure)));
        }

        private CompletionStage<T> started() {
            try {
                return work.get();
            } catch (RuntimeException refused) {
                return CompletableFuture.failedStage(refused);
            }
        }
    }

    private RemoteMemory(
            MessageChannel channel,
            RemoteAddress start,
            long lengthBytes,
            int maxBytes,
            HostMemory memory,
            MemoryRegion region) {
        this.channel = channel;
        this.start = start;
        this.lengthBytes = lengthBytes;
        this.maxBytes = maxBytes;
        this.memory = memory;
        this.region = region;
    }

    /**
     * Registers a buffer for the operations. Fails as {@link ProtectionDomain#register} does.
     *
     * @param start address and key that the peer has told
     * @param lengthBytes length of the part
     * @param maxBytes most bytes that one operation transfers, 8 or more
     */
    public static CompletionStage<RemoteMemory> open(
            MessageChannel channel, RemoteAddress start, long lengthBytes, int maxBytes) {
        HostMemory memory;
        ProtectionDomain domain = channel.endpoint().domain();
        try {
            if (maxBytes < Long.BYTES) {
                throw VerbsException.invalid("operations transfer " + maxBytes + " bytes; at least 8 are needed");
            }
            memory = domain.context().process().allocate(maxBytes);
        } catch (VerbsException refused) {
            return CompletableFuture.failedStage(refused);
        }
        return domain.register(Registration.of(memory).withAccess(Access.LOCAL_WRITE))
                .thenApply(region -> new RemoteMemory(channel, start, lengthBytes, maxBytes, memory, region))
                .exceptionallyCompose(refused -> memory.closeAsync()
                        .thenCompose(closed -> CompletableFuture.<RemoteMemory>failedStage(refused)));
    }

    /** Reads bytes by RDMA READ. */
    public CompletionStage<byte[]> read(long offset, int bytes) {
        return operation(offset, bytes, 1, () -> readNow(offset, bytes));
    }

    /** Writes bytes by RDMA WRITE; completes when the peer's adapter has written them. */
    public CompletionStage<Void> write(long offset, ByteBuffer content) {
        byte[] copy = Buffers.copy(content);
        return operation(offset, copy.length, 1, () -> writeNow(offset, copy));
    }

    /**
     * Reads a record that its owner may be writing: its version in 8 bytes, its content, and the version again. The owner writes an
     * odd version in front, the content, and the next even version, first behind and then in front. A record that is not whole is
     * read again.
     *
     * <p>That suffices since adapters read memory upwards here. Hardware may not: there, each cache line needs a version.
     *
     * @param offset of the version in front
     * @param bytes of the content
     */
    public CompletionStage<byte[]> readRecord(long offset, int bytes) {
        return operation(offset, bytes + 2 * Long.BYTES, 1, () -> readWhole(offset, bytes, MAX_ATTEMPTS));
    }

    /**
     * Changes 8 bytes by compare-and-swap, again with what it finds if others have changed them meanwhile. Completes with the new
     * value.
     *
     * @param offset of the value, whose address is a multiple of 8
     * @param change gives the new value for one that was found; may be called several times
     */
    public CompletionStage<Long> update(long offset, LongUnaryOperator change) {
        return operation(offset, Long.BYTES, Long.BYTES, () -> updateNow(offset, change));
    }

    /**
     * Appends to a log: takes room by {@link #update} of its length, and writes the content there. Completes with the offset of the
     * content. A reader that sees the new length may not see the content yet: give it a version or a checksum. Fails with ENOMEM if
     * the log has no room.
     *
     * @param offset of the log's length in 8 bytes; the log follows
     * @param capacity of the log in bytes, without its length
     */
    public CompletionStage<Long> append(long offset, long capacity, ByteBuffer content) {
        byte[] copy = Buffers.copy(content);
        if (capacity < 0 || capacity > lengthBytes - offset - Long.BYTES || copy.length > maxBytes) {
            return CompletableFuture.failedStage(VerbsException.invalid("a log of " + capacity
                    + " bytes and its length at"
                    + " offset " + offset + " of a part of " + lengthBytes + " bytes, and an entry of " + copy.length
                    + " bytes; both must fit, and an entry has at most " + maxBytes + " bytes"));
        }
        return operation(
                offset,
                Long.BYTES,
                Long.BYTES,
                () -> updateNow(offset, length -> taken(length, capacity, copy.length))
                        .thenCompose(length -> {
                            long at = offset + Long.BYTES + length - copy.length;
                            return writeNow(at, copy).thenApply(written -> at);
                        }));
    }

    private static long taken(long length, long capacity, int bytes) {
        if (length < 0 || length > capacity - bytes) {
            throw new VerbsException(
                    Errno.ENOMEM,
                    "the log has room for " + capacity + " bytes and has " + length + "; " + bytes
                            + " more do not fit");
        }
        return length + bytes;
    }

    private CompletionStage<byte[]> readNow(long offset, int bytes) {
        return submitted(RdmaRead.of(0, region.slice(0, bytes), start.plus(offset)))
                .thenApply(done -> memory.read(0, bytes));
    }

    private CompletionStage<Void> writeNow(long offset, byte[] content) {
        memory.write(0, content);
        return submitted(RdmaWrite.of(0, region.slice(0, content.length), start.plus(offset)));
    }

    private CompletionStage<Long> updateNow(long offset, LongUnaryOperator change) {
        return readNow(offset, Long.BYTES).thenCompose(read -> swap(offset, memory.readLong(0), change, MAX_ATTEMPTS));
    }

    private CompletionStage<byte[]> readWhole(long offset, int bytes, int attempts) {
        return readNow(offset, bytes + 2 * Long.BYTES).thenCompose(read -> {
            long version = memory.readLong(0);
            boolean isWhole = version % 2 == 0 && version == memory.readLong((long) Long.BYTES + bytes);
            if (isWhole) {
                return CompletableFuture.completedStage(memory.read(Long.BYTES, bytes));
            }
            return attempts == 1
                    ? CompletableFuture.failedStage(interfered("the record was being written"))
                    : readWhole(offset, bytes, attempts - 1);
        });
    }

    private CompletionStage<Long> swap(long offset, long found, LongUnaryOperator change, int attempts) {
        long wanted = change.applyAsLong(found);
        return submitted(CompareAndSwap.of(0, region.slice(0, Long.BYTES), start.plus(offset), found, wanted))
                .thenCompose(done -> {
                    long now = memory.readLong(0);
                    if (now == found) {
                        return CompletableFuture.completedStage(wanted);
                    }
                    return attempts == 1
                            ? CompletableFuture.failedStage(interfered("others changed the value"))
                            : swap(offset, now, change, attempts - 1);
                });
    }

    private static VerbsException interfered(String what) {
        return new VerbsException(Errno.EAGAIN, what + " in each of " + MAX_ATTEMPTS + " attempts");
    }

    private CompletionStage<Void> submitted(RcWork work) {
        if (channel.isOver()) {
            return CompletableFuture.failedStage(
                    new ChannelEndedException("the channel has ended, and the operation was not executed"));
        }
        return channel.qp().submit(work).thenAccept(this::succeeded);
    }

    private void succeeded(WorkCompletion completion) {
        if (completion.status() != Status.SUCCESS) {
            channel.closeAsync();
            throw new ChannelEndedException("the channel has ended, and the peer may or may not have executed the"
                    + " operation: it ended with " + completion.status());
        }
    }

    private <T> CompletionStage<T> operation(long offset, int bytes, int alignment, Supplier<CompletionStage<T>> work) {
        return checked(offset, bytes, alignment).thenCompose(valid -> enqueued(work));
    }

    private CompletionStage<Void> checked(long offset, int bytes, int alignment) {
        String refused = "";
        if (bytes < 0 || bytes > maxBytes) {
            refused = "the operation transfers " + bytes + " bytes; 0 to " + maxBytes + " are allowed";
        } else if (offset < 0 || offset > lengthBytes - bytes) {
            refused = bytes + " bytes at offset " + offset + " are outside of the part of " + lengthBytes + " bytes";
        } else if ((start.address() + offset) % alignment != 0) {
            refused = "the address of offset " + offset + " is no multiple of " + alignment;
        }
        return refused.isEmpty()
                ? CompletableFuture.completedStage(null)
                : CompletableFuture.failedStage(VerbsException.invalid(refused));
    }

    private <T> CompletionStage<T> enqueued(Supplier<CompletionStage<T>> work) {
        Operation<T> one = new Operation<>(work, new CompletableFuture<>());
        synchronized (this) {
            if (closing != null) {
                return CompletableFuture.failedStage(VerbsException.invalid("the remote memory is closed"));
            }
            if (waiting.size() == MAX_WAITING) {
                return CompletableFuture.failedStage(
                        new VerbsException(Errno.EAGAIN, MAX_WAITING + " operations wait; no more are allowed"));
            }
            waiting.add(one);
        }
        runNext();
        return one.done.minimalCompletionStage();
    }

    private void runNext() {
        Operation<?> next;
        synchronized (this) {
            if (busy || waiting.isEmpty()) {
                return;
            }
            busy = true;
            next = waiting.remove();
        }
        next.run().thenRun(() -> {
            synchronized (this) {
                busy = false;
            }
            runNext();
        });
    }

    /** Refuses further operations, waits for those that were begun, and deregisters the buffer. The channel stays open. */
    @Override
    public CompletionStage<Void> closeAsync() {
        Operation<Void> last = new Operation<>(this::released, new CompletableFuture<>());
        synchronized (this) {
            if (closing != null) {
                return closing;
            }
            closing = last.done.minimalCompletionStage();
            waiting.add(last);
        }
        runNext();
        return last.done.minimalCompletionStage();
    }

    private CompletionStage<Void> released() {
        return region.closeAsync().thenCompose(closed -> memory.closeAsync());
    }

    /** Closes and waits, but not for operations under way, which end the channel: {@link #closeAsync} waits for them. */
    @Override
    public void close() {
        closeAsync();
        region.close();
        memory.close();
    }

    @Override
    public String describe() {
        return lengthBytes + " bytes of " + channel.peer();
    }
}
