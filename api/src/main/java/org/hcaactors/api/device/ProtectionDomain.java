// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.IndirectKeyDescription;
import org.hcaactors.api.memory.KeyListMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.Prefetch;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.QueuePairCreator;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;

/**
 * A protection domain ({@code ibv_pd}), which ties regions and queue pairs together: a queue pair can use only keys of its own
 * domain. After the domain is closed, creation in it is EINVAL.
 *
 * <p>Threads: any; stages complete on the callers' executor. Limits: those of the profile's groups for the created objects.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface ProtectionDomain extends Handle, QueuePairCreator {
    DeviceContext context();

    /** Deallocates the domain ({@code ibv_dealloc_pd}): EBUSY while an object in it is open or being created. */
    @Override
    CompletionStage<Void> closeAsync();

    /**
     * Registers memory as described ({@code ibv_reg_mr}). Errors:
     *
     * <ul>
     *   <li>EINVAL if remote write or atomic is allowed without LOCAL_WRITE
     *   <li>EINVAL if the range is outside the memory or cannot begin at its address, or if the memory is unmapped
     *   <li>EINVAL if the registration shares memory that it did not allocate
     *   <li>EINVAL for physical addresses with a right other than LOCAL_WRITE and the remote rights
     *   <li>EINVAL for a registration {@linkplain Registration#withOnDemandPaging on demand}, if the adapter has no such regions or they
     *       cannot have this memory
     *   <li>EPERM for physical addresses, unless the process is root's
     *   <li>EOPNOTSUPP for features that the profile's memory group lacks
     *   <li>ENOMEM if the host has no pages for the allocated memory, or the adapter has no free key
     * </ul>
     */
    CompletionStage<MemoryRegion> register(Registration requested);

    /**
     * Registers memory that another process of the host shares, and maps it into this process's address space ({@code
     * ibv_exp_reg_shared_mr}). Closing the region, or reregistering it with other memory, unmaps it here; the memory remains
     * until the last process that registered it has released it. EINVAL if no region with that number is shared now; EACCES if
     * its permissions do not allow this process to read it, or to write it if the rights include writing; otherwise as {@link
     * #register(Registration)}.
     *
     * @param handle {@link MemoryRegion#handle} of the region that its process registered as shared
     */
    CompletionStage<MemoryRegion> registerShared(int handle, AccessFlags access);

    /**
     * Allocates a null region ({@code ibv_alloc_null_mr}) for local keys: writes are discarded, and reads return 0, at any
     * address. EOPNOTSUPP if the profile has none.
     */
    CompletionStage<MemoryRegion> allocateNullMr();

    /** Registers all of {@code memory} with exactly these rights. */
    default CompletionStage<MemoryRegion> register(HostMemory memory, Access... access) {
        return register(Registration.of(memory).withAccess(access));
    }

    /** Registers a part of {@code memory} with exactly these rights. */
    default CompletionStage<MemoryRegion> register(
            HostMemory memory, long offset, long lengthBytes, AccessFlags access) {
        return register(Registration.of(memory).withRange(offset, lengthBytes).withAccess(access));
    }

    /**
     * Allocates an unbound window ({@code ibv_alloc_mw}); EOPNOTSUPP if the profile's {@link
     * org.hcaactors.api.capability.WindowCapabilities} lack this type, ENOMEM while the maximum number is in use.
     */
    CompletionStage<MemoryWindow> allocateWindow(WindowType type);

    /**
     * Creates an empty indirect key ({@code mlx5dv_create_mkey}); EOPNOTSUPP if the adapter has none, EINVAL for 0 entries or
     * more than its {@code indirectKeys()} allow, ENOMEM while the maximum number is in use.
     */
    CompletionStage<IndirectKey> createIndirectKey(IndirectKeyDescription requested);

    /**
     * Allocates list memory for filling indirect keys ({@code ibv_exp_alloc_mkey_list_memory}); EOPNOTSUPP if the adapter has
     * no such keys, EINVAL for 0 entries or more than its {@code indirectKeys()} allow.
     */
    CompletionStage<KeyListMemory> allocateKeyList(int entries);

    /**
     * Creates a queue pair in RESET ({@code ibv_create_qp}); EINVAL above the adapter's limits, or with a queue that is closed
     * or of another context.
     */
    @Override
    <Q extends QueuePair> CompletionStage<Q> createQp(QpDescription<Q> requested);

    /**
     * Creates a DC target in RESET, from where {@link DcTarget#open} moves it to RTR ({@code mlx5dv_create_qp}, {@code
     * ibv_exp_create_dct}). EOPNOTSUPP if the adapter has no DC transport; EINVAL for a queue that is closed or of another
     * context, and if the number of spared responders is not below the maximum number of responders.
     */
    CompletionStage<DcTarget> createDcTarget(DcTargetDescription requested);

    /**
     * Creates a shared receive queue ({@code ibv_create_srq}, {@code ibv_create_srq_ex}): a plain one, {@linkplain
     * SrqDescription#withXrc one for XRC}, or {@linkplain SrqDescription#withTagMatching one that matches tags}. EINVAL above the
     * adapter's limits, for 0 tags or operations, or with an XRC domain or a completion queue that is closed or of another
     * context. EOPNOTSUPP for tag matching if the profile's {@code tags()} have none. With XRC, keys for the queue's buffers
     * and for the READs, WRITEs and atomics of peers must be of this domain.
     */
    <Q extends SharedReceiveQueue> CompletionStage<Q> createSrq(SrqDescription<Q> requested);

    /**
     * Creates a shared receive queue of at least {@code receives} receives; EINVAL above the adapter's limit, ENOMEM if its
     * host has no pages.
     */
    default CompletionStage<SharedReceiveQueue> createSrq(int receives) {
        return createSrq(SrqDescription.of(receives));
    }

    /**
     * Creates an address handle for datagrams and checks its path ({@code ibv_create_ah}): EINVAL without a global route, which
     * RoCE requires, or with a source index that is not in the GID table.
     */
    CompletionStage<AddressHandle> createAddressHandle(AddressVector vector);

    /**
     * Prefetches pages of on-demand regions ({@code ibv_advise_mr}). EOPNOTSUPP if the adapter has no such regions; EFAULT for
     * a key of no region of this context; EINVAL for the key of a window or an indirect key, or of a region that is not on
     * demand or is being deregistered; EPERM for a region of another domain, and for a prefetch for writing of a region that
     * may not be written; ENOMEM while too many prefetches wait. If it is {@linkplain Prefetch#withFlush flushed}, also EFAULT
     * for addresses outside the region or not mapped.
     */
    CompletionStage<Void> advise(Prefetch requested);
}
