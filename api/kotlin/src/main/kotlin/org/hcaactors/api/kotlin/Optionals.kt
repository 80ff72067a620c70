// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.kotlin

import java.util.OptionalInt
import kotlin.jvm.optionals.getOrNull
import org.hcaactors.api.address.AddressVector
import org.hcaactors.api.address.GlobalRoute
import org.hcaactors.api.completion.CompletionChannel
import org.hcaactors.api.completion.CompletionQueue
import org.hcaactors.api.completion.CqDescription
import org.hcaactors.api.completion.Datagram
import org.hcaactors.api.completion.WorkCompletion
import org.hcaactors.api.memory.MemoryWindow
import org.hcaactors.api.memory.PageLayout
import org.hcaactors.api.memory.WindowBinding
import org.hcaactors.api.queue.DcStreams
import org.hcaactors.api.queue.DcTargetDescription
import org.hcaactors.api.queue.QpDescription
import org.hcaactors.api.queue.QueuePair
import org.hcaactors.api.queue.SharedReceiveQueue
import org.hcaactors.api.queue.XrcDomain
import org.hcaactors.api.work.BindWindow
import org.hcaactors.api.work.FillKey
import org.hcaactors.api.work.RdmaWrite
import org.hcaactors.api.work.Send

// Optional properties as nullable values.

private fun OptionalInt.orNull(): Int? = if (isPresent) asInt else null

/** Immediate data, on receives of SEND and WRITE with immediate. */
fun WorkCompletion.immediateOrNull(): Int? = immediate().orNull()

/** Invalidated key, on receives of SEND with invalidate. */
fun WorkCompletion.invalidatedOrNull(): Int? = invalidated().orNull()

/** Datagram fields, on receives of a datagram queue pair. */
fun WorkCompletion.datagramOrNull(): Datagram? = datagram().getOrNull()

/** Timestamp, on completions of a queue that was created with timestamps. */
fun WorkCompletion.timestampTicksOrNull(): Long? = timestampTicks().let { if (it.isPresent) it.asLong else null }

/** Immediate data of the request. */
fun Send.immediateOrNull(): Int? = immediate().orNull()

/** The peer's key that the request invalidates. */
fun Send.invalidatesOrNull(): Int? = invalidates().orNull()

/** Immediate data of the request. */
fun RdmaWrite.immediateOrNull(): Int? = immediate().orNull()

/** Window to bind; null in a request that was read from a recorded run. */
fun BindWindow.windowOrNull(): MemoryWindow? = window().getOrNull()

/** Binding of the window; null in a request that was read from a recorded run. */
fun BindWindow.bindingOrNull(): WindowBinding? = binding().getOrNull()

/** Maximum entries of the list memory; null if the entries are inline in the request. */
fun FillKey.listRoomOrNull(): Int? = listRoom().orNull()

/** Shared receive queue, if it uses one. */
fun QueuePair.srqOrNull(): SharedReceiveQueue? = srq().getOrNull()

/** Queue of send completions, if one is named. */
fun QpDescription<*>.sendQueueOrNull(): CompletionQueue? = sendQueue().getOrNull()

/** Queue of receive completions, if one is named. */
fun QpDescription<*>.receiveQueueOrNull(): CompletionQueue? = receiveQueue().getOrNull()

/** Shared receive queue, if one is named. */
fun QpDescription<*>.sharedReceivesOrNull(): SharedReceiveQueue? = sharedReceives().getOrNull()

/** Entry size in bytes, if set. */
fun CqDescription.entryBytesOrNull(): Int? = entryBytes().orNull()

/** Completion channel, if set. */
fun CqDescription.channelOrNull(): CompletionChannel? = channel().getOrNull()

/** NUMA node of all pages, if they are on one node. */
fun PageLayout.nodeOrNull(): Int? = node().orNull()

/** Global route, if the path has one. */
fun AddressVector.routeOrNull(): GlobalRoute? = route().getOrNull()

/** File of the domain; null for a domain of one process. */
fun XrcDomain.fileOrNull(): String? = file().getOrNull()

/** Streams of a DC initiator, if configured. */
fun QpDescription.Options.streamsOrNull(): DcStreams? = streams().getOrNull()

/** Maximum number of sessions of a target, if set. */
fun DcTargetDescription.maxRespondersOrNull(): Int? = maxResponders().orNull()
