// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Waiter;
import org.hcaactors.api.handle.LeakReport;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.PeerMemory;

/**
 * A process of a modelled host: an address space, and the handles it opens.
 *
 * <p>Threads: any. Limits: addresses of 64 bits, of which none is given out twice, and the JVM's direct memory.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface HostProcess {
    String name();

    /** Whose it is. */
    Credentials identity();

    /**
     * Places a direct buffer into the address space, one of 0 bytes too; IllegalArgumentException if it is not direct or
     * is read-only, EINVAL after {@link #exit}.
     */
    HostMemory map(ByteBuffer direct);

    /**
     * Places fresh zeroed memory into the address space, in direct buffers of at most 1 GiB each; 0 bytes have an address
     * of their own. IllegalArgumentException for a negative length or one beyond 2^61, EINVAL after {@link #exit}; ENOMEM where
     * the {@linkplain HostMachine machine} has no such pages left, OutOfMemoryError where the
     * JVM has no such direct memory left ({@code -XX:MaxDirectMemorySize}).
     */
    HostMemory allocate(long lengthBytes);

    /**
     * Copies bytes out from an address of the process, whatever memories of it are there: its own loads, as {@link HostMemory#read}.
     * EINVAL where not all of it is mapped.
     */
    byte[] read(long address, int lengthBytes);

    /** Copies bytes in, as {@link #read} copies them out. EINVAL where not all of it is mapped; then some may be written. */
    void write(long address, byte[] bytes);

    /**
     * Places fresh zeroed memory where the program wants it ({@code MAP_FIXED_NOREPLACE}): below what {@link #allocate} gives out, or
     * where memory was that is unmapped. Otherwise as {@link #allocate}. EINVAL for an address that begins no page of 4096
     * bytes, for no bytes, and where {@link #allocate} has still to give out; EEXIST where memory is.
     */
    HostMemory allocateAt(long address, long lengthBytes);

    /**
     * Places fresh zeroed memory on whole huge pages of the host ({@code MAP_HUGETLB}): as many of {@value
     * MemoryNode#HUGE_PAGE_BYTES} bytes as it needs, all of which it then has. They are never evicted. Otherwise as {@link
     * #allocate}. ENOMEM where the host has {@linkplain MemoryNode#withHugePages set aside} too few.
     */
    HostMemory allocateHuge(long lengthBytes);

    /**
     * The host takes the pages of these addresses out of its physical memory, as {@link HostMemory#evict} does, where memory is.
     * EINVAL unless the range has bytes and ends below 2^63.
     *
     * @return how many pages went
     */
    long evict(long address, long lengthBytes);

    /**
     * Places zeroed memory of a peer device into the address space, as its driver does; otherwise as {@link #allocate}.
     */
    PeerMemory allocatePeer(long lengthBytes);

    /**
     * The process ends: everything that it left open is closed in order, then all of its memory is unmapped. The report
     * names what was open; memory is not named. Any other verb of the process is refused from the call on, and {@link
     * Adapter#process} gives a new one. Exiting again waits for the same end.
     */
    CompletionStage<LeakReport> exit();

    /**
     * The process is killed, as by SIGKILL: as {@link #exit}, but none of its subscribers, readers and handlers is handed anything from the
     * call on, what was polled for them included. They are told only that their streams are over, and what they throw at that goes to nobody.
     * A call that has begun runs to its end, and who subscribed just before may still be told that it is subscribed. Stages end as at an exit, or
     * complete with what came before.
     */
    CompletionStage<LeakReport> kill();

    /** False from the call of {@link #exit} or {@link #kill} on, and once its network is closed. */
    boolean isAlive();

    /** Starts a thread of the process that completion queues can wake; EINVAL after {@link #exit}. */
    CompletionStage<Waiter> startWaiter();

    /** Opens the adapter ({@code ibv_open_device}); EINVAL after {@link #exit} and on a closed network. */
    DeviceContext open();

    /**
     * The same, and the adapter's library finds these environment variables and no others; {@link #open()} finds those of the
     * network. It reads {@code MLX_QP_ALLOC_TYPE}, {@code MLX_CQ_ALLOC_TYPE} and {@code MLX_MR_ALLOC_TYPE}, with {@code
     * _MAX_LOG2_CONTIG_BSIZE} and {@code _MIN_LOG2_CONTIG_BSIZE} in the place of {@code _ALLOC_TYPE}, and {@code HUGE_CQ}, {@code
     * HUGE_RC}, {@code HUGE_UC} and {@code HUGE_UD}: how buffers of queues and regions that allocate get their pages. A type is one of {@code ANON}, {@code HUGE}, {@code CONTIG},
     * {@code PREFER_CONTIG}, {@code PREFER_HUGE} and {@code ALL}; any other value counts as not set, and is warned of once. It reads
     * {@code MLX5_SCATTER_TO_CQE} (0: short messages and results don't travel in completions; anything else: they do on each
     * queue pair that does not say) and {@code MLX5_CQE_SIZE} (64 or 128 bytes an entry).
     */
    DeviceContext open(Map<String, String> variables);
}
