// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.kotlin

import java.util.concurrent.CancellationException
import kotlinx.coroutines.future.await
import org.hcaactors.api.address.AddressHandle
import org.hcaactors.api.address.AddressVector
import org.hcaactors.api.address.Gid
import org.hcaactors.api.address.UdAddress
import org.hcaactors.api.completion.CompletionChannel
import org.hcaactors.api.completion.CompletionQueue
import org.hcaactors.api.completion.CqDescription
import org.hcaactors.api.completion.Waiter
import org.hcaactors.api.completion.WakeCause
import org.hcaactors.api.completion.WorkCompletion
import org.hcaactors.api.device.AsyncEvent
import org.hcaactors.api.device.DeviceContext
import org.hcaactors.api.device.HostProcess
import org.hcaactors.api.device.ProtectionDomain
import org.hcaactors.api.handle.Handle
import org.hcaactors.api.memory.Access
import org.hcaactors.api.memory.AccessFlags
import org.hcaactors.api.memory.HostMemory
import org.hcaactors.api.memory.IndirectKey
import org.hcaactors.api.memory.IndirectKeyDescription
import org.hcaactors.api.memory.KeyListMemory
import org.hcaactors.api.memory.MemoryRegion
import org.hcaactors.api.memory.MemoryWindow
import org.hcaactors.api.memory.Prefetch
import org.hcaactors.api.memory.Registration
import org.hcaactors.api.memory.Reregistration
import org.hcaactors.api.memory.WindowBinding
import org.hcaactors.api.memory.WindowType
import org.hcaactors.api.queue.QpDescription
import org.hcaactors.api.queue.QpModify
import org.hcaactors.api.queue.QueuePair
import org.hcaactors.api.queue.RcConnection
import org.hcaactors.api.queue.RcPair
import org.hcaactors.api.queue.RcQueuePair
import org.hcaactors.api.queue.SharedReceiveQueue
import org.hcaactors.api.queue.SrqDescription
import org.hcaactors.api.queue.UcConnection
import org.hcaactors.api.queue.UcPair
import org.hcaactors.api.queue.UcQueuePair
import org.hcaactors.api.queue.UdQueuePair
import org.hcaactors.api.work.BindWindow
import org.hcaactors.api.work.RcWork
import org.hcaactors.api.work.UcWork
import org.hcaactors.api.work.UdWork

// Verbs that return a stage in Java, as suspending functions. Their names differ from the Java methods, because a member of the
// same name would hide them. Each throws the VerbsException with which its stage fails. Cancelling a waiting coroutine does not
// cancel the posted request: the adapter owns its memory until the request completes. To get the memory back on cancellation,
// for example by withTimeout, use performOrFlush.

/**
 * Posts a signaled request and returns its completion, successful or not; throws the VerbsException with which `submit` fails.
 */
suspend fun RcQueuePair.perform(work: RcWork): WorkCompletion = submit(work).await()

/**
 * Posts a signaled request and returns its completion, successful or not; throws the VerbsException with which `submit` fails.
 */
suspend fun UcQueuePair.perform(work: UcWork): WorkCompletion = submit(work).await()

/**
 * Posts a signaled request and returns its completion, successful or not; throws the VerbsException with which `submit` fails.
 */
suspend fun UdQueuePair.perform(to: UdAddress, work: UdWork): WorkCompletion = submit(to, work).await()

/** Registers all of the memory with exactly these rights. */
suspend fun ProtectionDomain.registerMemory(memory: HostMemory, vararg rights: Access): MemoryRegion =
    register(memory, *rights).await()

/** Registers memory as described. */
suspend fun ProtectionDomain.registerMemory(requested: Registration): MemoryRegion = register(requested).await()

/** Registers memory that another process of the host shares under this number. */
suspend fun ProtectionDomain.registerSharedMemory(handle: Int, rights: AccessFlags): MemoryRegion =
    registerShared(handle, rights).await()

/** Allocates a null region. */
suspend fun ProtectionDomain.makeNullRegion(): MemoryRegion = allocateNullMr().await()

/** Allocates an unbound window. */
suspend fun ProtectionDomain.makeWindow(type: WindowType): MemoryWindow = allocateWindow(type).await()

/** Binds a window of either type and returns the completion; otherwise as [perform]. */
suspend fun RcQueuePair.bindWindow(id: Long, window: MemoryWindow, binding: WindowBinding): WorkCompletion =
    if (window.type() == WindowType.TYPE_1) submitBind(id, window, binding).await() else perform(BindWindow.of(id, window, binding))

/** Changes the region's translation, domain or rights; read its keys again afterwards. */
suspend fun MemoryRegion.become(requested: Reregistration) {
    reregister(requested).await()
}

/** Prefetches pages of on-demand regions; if flushed, returns when they are present. */
suspend fun ProtectionDomain.advisePrefetch(requested: Prefetch) {
    advise(requested).await()
}

/** Prefetches pages by the older verb: returns when accepted, and later errors are not reported. */
suspend fun MemoryRegion.prefetchPages(offset: Long, lengthBytes: Long, toWrite: Boolean) {
    prefetch(offset, lengthBytes, toWrite).await()
}

/** Creates an empty indirect key. */
suspend fun ProtectionDomain.makeIndirectKey(requested: IndirectKeyDescription): IndirectKey = createIndirectKey(requested).await()

/** Allocates list memory for filling indirect keys. */
suspend fun ProtectionDomain.makeKeyList(entries: Int): KeyListMemory = allocateKeyList(entries).await()

/** Creates a shared receive queue. */
suspend fun ProtectionDomain.makeSrq(requested: SrqDescription = SrqDescription.DEFAULT): SharedReceiveQueue =
    createSrq(requested).await()

/** Creates a queue pair in RESET. */
suspend fun <Q : QueuePair> ProtectionDomain.makeQp(requested: QpDescription<Q>): Q = createQp(requested).await()

/** Creates an address handle for datagrams and checks its path. */
suspend fun ProtectionDomain.makeAddressHandle(vector: AddressVector): AddressHandle = createAddressHandle(vector).await()

/** Creates a completion queue of at least this number of entries. */
suspend fun DeviceContext.makeCq(entries: Int): CompletionQueue = createCq(entries).await()

/** Creates a completion queue. */
suspend fun DeviceContext.makeCq(requested: CqDescription): CompletionQueue = createCq(requested).await()

/** Creates a completion channel. */
suspend fun DeviceContext.makeChannel(): CompletionChannel = createChannel().await()

/** Creates a plain queue pair in each domain and takes both from RESET to RTS. */
suspend fun connectRc(
    local: ProtectionDomain,
    remote: ProtectionDomain,
    attributes: RcConnection = RcConnection.DEFAULT,
): RcPair = RcPair.connect(local, remote, attributes).await()

/** Creates both ends as described and takes them from RESET to RTS. */
suspend fun connectRc(
    local: ProtectionDomain,
    ofLocal: QpDescription<RcQueuePair>,
    remote: ProtectionDomain,
    ofRemote: QpDescription<RcQueuePair>,
    attributes: RcConnection = RcConnection.DEFAULT,
): RcPair = RcPair.connect(local, ofLocal, remote, ofRemote, attributes).await()

/** Creates a plain queue pair in each domain and takes both from RESET to RTS. */
suspend fun connectUc(
    local: ProtectionDomain,
    remote: ProtectionDomain,
    attributes: UcConnection = UcConnection.DEFAULT,
): UcPair = UcPair.connect(local, remote, attributes).await()

/** Creates both ends as described and takes them from RESET to RTS. */
suspend fun connectUc(
    local: ProtectionDomain,
    ofLocal: QpDescription<UcQueuePair>,
    remote: ProtectionDomain,
    ofRemote: QpDescription<UcQueuePair>,
    attributes: UcConnection = UcConnection.DEFAULT,
): UcPair = UcPair.connect(local, ofLocal, remote, ofRemote, attributes).await()

/** RESET to RTS. The peer must connect as well. If an attribute is refused, the queue pair returns to RESET. */
suspend fun RcQueuePair.connectTo(peer: Gid, peerQp: Int, attributes: RcConnection = RcConnection.DEFAULT) {
    connect(peer, peerQp, attributes).await()
}

/** RESET to RTS. The peer must connect as well. If an attribute is refused, the queue pair returns to RESET. */
suspend fun UcQueuePair.connectTo(peer: Gid, peerQp: Int, attributes: UcConnection = UcConnection.DEFAULT) {
    connect(peer, peerQp, attributes).await()
}

/** RESET to RTS, with this Q_Key. */
suspend fun UdQueuePair.open(qkey: Int) {
    activate(qkey).await()
}

/** Changes state and attributes. */
suspend fun QueuePair.change(requested: QpModify) {
    modify(requested).await()
}

/** Waits for the next event of an armed queue. */
suspend fun CompletionChannel.awaitWakeup(): CompletionQueue = next().await()

/** Starts a thread that completion queues can wake. */
suspend fun HostProcess.makeWaiter(): Waiter = startWaiter().await()

/** Waits as the thread until a completion queue that names it wakes it. Cancelling ends the wait. */
suspend fun Waiter.awaitWake(): WakeCause {
    val wake = await()
    try {
        return wake.await()
    } catch (cancelled: CancellationException) {
        interrupt()
        throw cancelled
    }
}

/** Waits for the next asynchronous event. */
suspend fun DeviceContext.awaitEvent(): AsyncEvent = nextAsyncEvent().await()

/** Takes up to this number of entries, possibly none; throws `VerbsException` (EBUSY) while a subscription polls. */
suspend fun CompletionQueue.take(max: Int): List<WorkCompletion> = poll(max).await()

/** Closes any handle, also memory; throws `VerbsException` (EBUSY) while an open object uses it. */
suspend fun Handle.dispose() {
    closeAsync().await()
}
