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
import org.hcaactors.api.tag.TagSharedReceiveQueue;
import org.hcaactors.api.tag.TagSrqDescription;
import org.hcaactors.api.xrc.XrcSrqDescription;

/**
 * Ties regions and queue pairs together: a queue pair can use only keys of its own domain ({@code ibv_pd}). In a closed one
 * nothing is created: EINVAL.
 *
 * <p>Threads: any; stages complete on the callers' executor. Limits: those of the profile's groups for what is
 * created.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface ProtectionDomain extends Handle, QueuePairCreator {
    DeviceContext context();

    /** {@code ibv_dealloc_pd}: EBUSY while something in it is open or being created. */
    @Override
    CompletionStage<Void> closeAsync();

    /**
     * Registers memory as described ({@code ibv_reg_mr}); EINVAL if a remote change is allowed without LOCAL_WRITE, if the
     * range leaves the memory or can't stand at its address, or if the memory is unmapped; where
     * something is shared that the registration did not allocate; with physical addresses, for another right than LOCAL_WRITE
     * and those from afar; {@linkplain Registration#onDemand on demand}, where the adapter has no such regions, or of what can't
     * be registered so. EPERM for physical addresses unless the process is root's, EOPNOTSUPP for what the profile's
     * memory group does not have; ENOMEM where the host has no pages for what the registration allocates, or the adapter no key.
     */
    CompletionStage<MemoryRegion> register(Registration requested);

    /**
     * Registers what another process of the host shares, and maps it into this one's address space ({@code
     * ibv_exp_reg_shared_mr}); closing or leaving the region unmaps it here, and the memory lives until the last who
     * registered it has left it. EINVAL if no region with that number is shared now; EACCES if its permissions don't let
     * this process read it, or write it where the rights change it; else as {@link #register(Registration)}.
     *
     * @param handle {@link MemoryRegion#handle} of the region that its process registered as shared
     */
    CompletionStage<MemoryRegion> registerShared(int handle, AccessFlags rights);

    /**
     * A region of no memory ({@code ibv_alloc_null_mr}), for requests of here: what is written into it is gone, and what is read
     * is 0, at whatever address. EOPNOTSUPP where the profile has none.
     */
    CompletionStage<MemoryRegion> allocateNullMr();

    /** Registers all of {@code memory} with these rights, and no others. */
    default CompletionStage<MemoryRegion> register(HostMemory memory, Access... rights) {
        return register(Registration.of(memory).withAccess(rights));
    }

    /** Registers a part of {@code memory} with these rights, and no others. */
    default CompletionStage<MemoryRegion> register(
            HostMemory memory, long offset, long lengthBytes, AccessFlags rights) {
        return register(Registration.of(memory).part(offset, lengthBytes).withAccess(rights));
    }

    /**
     * Allocates a window that is bound to nothing ({@code ibv_alloc_mw}); EOPNOTSUPP where the profile's {@link
     * org.hcaactors.api.capability.WindowCapabilities} have none of that type, ENOMEM while all that they have are in use.
     */
    CompletionStage<MemoryWindow> allocateWindow(WindowType type);

    /**
     * Creates a key that shows memory of other keys, nothing at first ({@code mlx5dv_create_mkey}); EOPNOTSUPP where the
     * adapter has none, EINVAL for no entry or more than its {@code indirectKeys()} allow, ENOMEM while all that they have are
     * in use.
     */
    CompletionStage<IndirectKey> createIndirectKey(IndirectKeyDescription requested);

    /**
     * Allocates room for what indirect keys are filled with ({@code ibv_exp_alloc_mkey_list_memory}); EOPNOTSUPP where the
     * adapter has no such keys, EINVAL for no entry or more than its {@code indirectKeys()} allow.
     */
    CompletionStage<KeyListMemory> allocateKeyList(int entries);

    /**
     * Creates a queue pair in RESET ({@code ibv_create_qp}); EINVAL above the adapter's limits, or with a queue that is closed
     * or not of here.
     */
    @Override
    <Q extends QueuePair> CompletionStage<Q> createQp(QpDescription<Q> requested);

    /**
     * Creates a shared receive queue that peers name by its number ({@code ibv_create_srq_ex}): through the keys of this
     * domain, they reach both its buffers and what their READs, WRITEs and atomics are for. EINVAL above the adapter's limits,
     * or with an XRC domain or a completion queue that is closed or not of here.
     */
    CompletionStage<SharedReceiveQueue> createXrcSrq(XrcSrqDescription requested);

    /**
     * Creates a shared receive queue whose adapter compares tags ({@code ibv_create_srq_ex} with {@code IBV_SRQT_TM}): EOPNOTSUPP
     * where the profile's {@code tags()} have none; EINVAL above the adapter's limits, without room for a tag or an operation, or
     * with a completion queue that is closed or not of here.
     */
    CompletionStage<TagSharedReceiveQueue> createTagSrq(TagSrqDescription requested);

    /**
     * Creates what initiators of the dynamically connected transport reach, in RESET, from where {@link DcTarget#open} brings it up
     * ({@code mlx5dv_create_qp}, {@code ibv_exp_create_dct}); EOPNOTSUPP where the adapter has no such transport, EINVAL for a queue that is closed or not of here,
     * and where as many responders are spared as the target can ever have.
     */
    CompletionStage<DcTarget> createDcTarget(DcTargetDescription requested);

    /** Creates a shared receive queue ({@code ibv_create_srq}); EINVAL above the adapter's limits. */
    CompletionStage<SharedReceiveQueue> createSrq(SrqDescription requested);

    /** Creates a shared receive queue of at least so many receives; EINVAL above the adapter's limit, ENOMEM where its host has no pages. */
    default CompletionStage<SharedReceiveQueue> createSrq(int receives) {
        return createSrq(SrqDescription.of(receives));
    }

    /**
     * Checks a path for datagrams ({@code ibv_create_ah}): EINVAL without a global route, as RoCE asks for one, or with a
     * source that is not in the GID table.
     */
    CompletionStage<AddressHandle> createAddressHandle(AddressVector vector);

    /**
     * Has pages of regions on demand come before they are used ({@code ibv_advise_mr}). EOPNOTSUPP where the adapter has no such
     * regions; EFAULT for a key of no region of this context, EINVAL for one of a window, of other keys' memory, or of a region
     * that is not on demand or being deregistered; EPERM for a region of another domain, and for pages to write of one that may
     * not be written. ENOMEM while too many prefetches wait. Where it is {@linkplain Prefetch#flushed flushed}, EFAULT for what
     * is outside its region or not mapped.
     */
    CompletionStage<Void> advise(Prefetch requested);
}
