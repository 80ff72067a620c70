// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.hcaactors.api.completion.Waiter;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.handle.LeakReport;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.PeerMemory;

/**
 * A process of a modelled host: an address space, and the handles it opens. {@link Adapter#process(String)} returns the process
 * of that name if there is one, so closing it ends it for all who use it.
 *
 * <p>A process with a {@linkplain Adapter#process(String, org.hcaactors.api.memory.ProgramMemory) program's memory} allocates
 * none: {@link #map}, {@link #allocate}, {@link #allocateAt}, {@link #allocateHuge} and {@link #allocatePeer} are EOPNOTSUPP,
 * {@link #evict} evicts nothing, and {@link #mapAt} names what the program has.
 *
 * <p>Threads: any. Limits: addresses of 64 bits, of which none is allocated twice, and the JVM's direct memory.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface HostProcess extends Handle {
    String name();

    /** Credentials of the process. */
    Credentials credentials();

    /**
     * Maps a direct buffer into the address space, possibly of 0 bytes; IllegalArgumentException if it is not direct or is
     * read-only, EINVAL after {@link #exit}.
     */
    HostMemory map(ByteBuffer direct);

    /**
     * Allocates zeroed memory in the address space, in direct buffers of at most 1 GiB each; 0 bytes have an address of their
     * own. IllegalArgumentException for a negative length or one above 2^61; EINVAL after {@link #exit}; ENOMEM if the
     * {@linkplain HostMachine machine} has no such pages left; OutOfMemoryError if the JVM has no direct memory left ({@code
     * -XX:MaxDirectMemorySize}).
     */
    HostMemory allocate(long lengthBytes);

    /**
     * Copies bytes from an address of the process, across all memory mapped there: a load by the process, as {@link
     * HostMemory#read}. EINVAL unless all of it is mapped.
     */
    byte[] read(long address, int lengthBytes);

    /**
     * Copies bytes to an address of the process, as {@link #read} copies from it. EINVAL unless all of it is mapped; then some
     * bytes may be written.
     */
    void write(long address, byte[] bytes);

    /**
     * Allocates zeroed memory at a given address ({@code MAP_FIXED_NOREPLACE}): below the addresses that {@link #allocate}
     * uses, or where memory was unmapped. Otherwise as {@link #allocate}. EINVAL unless the address begins a page of 4096
     * bytes, for 0 bytes, and for addresses that {@link #allocate} has not used yet; EEXIST if memory is mapped there.
     */
    HostMemory allocateAt(long address, long lengthBytes);

    /**
     * Allocates zeroed memory on huge pages of the host ({@code MAP_HUGETLB}), rounded up to whole pages of {@value
     * MemoryNode#HUGE_PAGE_BYTES} bytes. They are never evicted. Otherwise as {@link #allocate}. ENOMEM if the host has
     * {@linkplain MemoryNode#withHugePages reserved} too few.
     */
    HostMemory allocateHuge(long lengthBytes);

    // rule memory-program
    /**
     * Returns a range of the program's memory, at the program's own address; only in a process with a {@linkplain
     * Adapter#process(String, org.hcaactors.api.memory.ProgramMemory) program's memory}, else EOPNOTSUPP. Ranges may overlap,
     * and may have 0 bytes. Closing it forgets the range, and leaves the program's memory as it is. EFAULT if the program has
     * not mapped all of it; EINVAL for a negative length, for an address or end beyond 2^63 - 1, and after {@link #exit}.
     */
    HostMemory mapAt(long address, long lengthBytes);

    /**
     * Evicts the mapped pages of these addresses from the host's physical memory, as {@link HostMemory#evict} does.
     * EINVAL unless the range is not empty and ends below 2^63.
     *
     * @return number of evicted pages
     */
    long evict(long address, long lengthBytes);

    /**
     * Allocates zeroed memory of a peer device and maps it into the address space, as the device's driver does; otherwise as
     * {@link #allocate}.
     */
    PeerMemory allocatePeer(long lengthBytes);

    /**
     * Ends the process: all open objects are closed in order, then all memory is unmapped. The report names the objects that
     * were open, without memory. From this call on, other verbs of the process are refused, and {@link Adapter#process} creates
     * a new process. A second call waits for the same end.
     */
    CompletionStage<LeakReport> exit();

    /** Ends the process as {@link #exit} does, without a report. */
    @Override
    default CompletionStage<Void> closeAsync() {
        return exit().thenAccept(report -> {});
    }

    /**
     * Kills the process, as SIGKILL does: like {@link #exit}, but from this call on its subscribers, readers and handlers
     * receive no elements, including those already polled for them. They receive only the end of their stream, and exceptions
     * that they throw at that are ignored. A call in progress runs to its end, and a subscriber that subscribed just before may
     * still receive {@code onSubscribe}. Stages end as at an exit, or complete with an earlier result.
     */
    CompletionStage<LeakReport> kill();

    /**
     * Starts a timer of the process: the stage completes when that much time has passed on the network's clock, on the executor of
     * verbs' stages, as code of the host: a fault that pauses the host delays it. It is cancelled when the process ends ({@link #exit}, {@link #kill}) or its network is closed, and at once if
     * it has ended already; a caller that no longer needs it cancels it with {@code toCompletableFuture().cancel(false)}.
     *
     * @param time from zero to 24 days
     * @throws IllegalArgumentException for another time
     * @throws IllegalStateException if a million timers of the network are pending
     */
    CompletionStage<Void> after(Duration time);

    /**
     * Returns the time of the network's clock in nanoseconds, of which only differences have a meaning, as of {@link
     * System#nanoTime}; virtual time in the testkit.
     */
    long nanoTime();

    /** False from the call of {@link #exit} or {@link #kill}, or when its network is closed. */
    boolean isAlive();

    /** Starts a thread of the process that completion queues can wake; EINVAL after {@link #exit}. */
    CompletionStage<Waiter> startWaiter();

    /** Opens the adapter ({@code ibv_open_device}); EINVAL after {@link #exit} and on a closed network. */
    DeviceContext open();

    /**
     * Opens the adapter with these environment variables only; {@link #open()} uses those of the network. The adapter's library
     * reads {@code MLX_QP_ALLOC_TYPE}, {@code MLX_CQ_ALLOC_TYPE} and {@code MLX_MR_ALLOC_TYPE}, the same with {@code
     * _MAX_LOG2_CONTIG_BSIZE} and {@code _MIN_LOG2_CONTIG_BSIZE} instead of {@code _ALLOC_TYPE}, and {@code HUGE_CQ}, {@code
     * HUGE_RC}, {@code HUGE_UC} and {@code HUGE_UD}: they select the pages for buffers of queues and of regions that allocate
     * memory. A type is one of {@code ANON}, {@code HUGE}, {@code CONTIG}, {@code PREFER_CONTIG}, {@code PREFER_HUGE} and
     * {@code ALL}; any other value is ignored with one warning. It also reads {@code MLX5_SCATTER_TO_CQE} (0: short messages
     * and results are not written into completions; any other value: they are, on each queue pair without a setting of its own)
     * and {@code MLX5_CQE_SIZE} (entry size, 64 or 128 bytes).
     */
    DeviceContext open(Map<String, String> variables);

    // rule pages-variables-live
    /**
     * Opens the adapter with environment variables that are read each time: for every queue, queue pair and region that allocates
     * memory, and for every resize of a completion queue, as the library does by {@code getenv}. So a program can set one before
     * it creates an object. Otherwise as {@link #open(Map)}.
     *
     * @param variables returns the value of a variable, or empty if it is not set. Called on the thread that creates the object,
     *     and on the adapter's thread for a resize; it must not block. If it throws, or returns null, the verb is refused with
     *     EINVAL
     */
    DeviceContext open(Function<String, Optional<String>> variables);
}
