// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.kotlin

import kotlinx.coroutines.future.await
import org.hcaactors.api.address.AddressHandle
import org.hcaactors.api.address.AddressVector
import org.hcaactors.api.address.UdAddress
import org.hcaactors.api.completion.CompletionChannel
import org.hcaactors.api.completion.CompletionQueue
import org.hcaactors.api.completion.CqDescription
import org.hcaactors.api.completion.WorkCompletion
import org.hcaactors.api.device.DeviceContext
import org.hcaactors.api.device.ProtectionDomain
import org.hcaactors.api.memory.Access
import org.hcaactors.api.memory.HostMemory
import org.hcaactors.api.memory.MemoryRegion
import org.hcaactors.api.memory.Registration
import org.hcaactors.api.queue.QpBuilder
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
import org.hcaactors.api.work.RcWork
import org.hcaactors.api.work.UcWork
import org.hcaactors.api.work.UdWork

// Cancelling a coroutine that waits here forgets the answer and un-posts nothing: the memory of a request belongs to the
// adapter until its completion.

/** Posts signaled and gives the completion, whatever its status; VerbsException where `submit` fails. */
suspend fun RcQueuePair.perform(work: RcWork): WorkCompletion = submit(work).await()

/** Posts signaled and gives the completion, whatever its status; VerbsException where `submit` fails. */
suspend fun UcQueuePair.perform(work: UcWork): WorkCompletion = submit(work).await()

/** Posts signaled and gives the completion, whatever its status; VerbsException where `submit` fails. */
suspend fun UdQueuePair.perform(to: UdAddress, work: UdWork): WorkCompletion = submit(to, work).await()

/** Registers all of the memory. */
suspend fun ProtectionDomain.registered(memory: HostMemory, vararg rights: Access): MemoryRegion =
    register(memory, *rights).await()

/** Registers memory as described. */
suspend fun ProtectionDomain.registered(wanted: Registration): MemoryRegion = register(wanted).await()

suspend fun ProtectionDomain.newSrq(wanted: SrqDescription = SrqDescription.DEFAULT): SharedReceiveQueue =
    createSrq(wanted).await()

suspend fun ProtectionDomain.pathTo(vector: AddressVector): AddressHandle = createAddressHandle(vector).await()

suspend fun DeviceContext.newCq(entries: Int): CompletionQueue = createCq(entries).await()

suspend fun DeviceContext.newCq(wanted: CqDescription): CompletionQueue = createCq(wanted).await()

suspend fun DeviceContext.newChannel(): CompletionChannel = createChannel().await()

suspend fun <Q : QueuePair> QpBuilder<Q>.created(): Q = create().await()

/** Creates both ends and takes them from RESET to RTS. */
suspend fun connectRc(
    local: QpBuilder<RcQueuePair>,
    remote: QpBuilder<RcQueuePair>,
    terms: RcConnection = RcConnection.DEFAULT,
): RcPair = RcPair.connect(local, remote, terms).await()

/** Creates both ends and takes them from RESET to RTS. */
suspend fun connectUc(
    local: QpBuilder<UcQueuePair>,
    remote: QpBuilder<UcQueuePair>,
    terms: UcConnection = UcConnection.DEFAULT,
): UcPair = UcPair.connect(local, remote, terms).await()

/** The next wake-up. */
suspend fun CompletionChannel.nextWakeup(): CompletionQueue = next().await()

/** Takes up to so many entries out, perhaps none; `VerbsException` (EBUSY) while a subscription polls. */
suspend fun CompletionQueue.polled(most: Int): List<WorkCompletion> = poll(most).await()
