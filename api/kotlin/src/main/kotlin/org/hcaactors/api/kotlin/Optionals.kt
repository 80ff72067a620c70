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
import org.hcaactors.api.memory.PageLayout
import org.hcaactors.api.queue.DcStreams
import org.hcaactors.api.queue.DcTargetDescription
import org.hcaactors.api.queue.QpDescription
import org.hcaactors.api.queue.QueuePair
import org.hcaactors.api.queue.SharedReceiveQueue
import org.hcaactors.api.work.RdmaWrite
import org.hcaactors.api.work.Send
import org.hcaactors.api.xrc.XrcDomain

// What is an Optional in Java, as Kotlin asks for it.

private fun OptionalInt.orNull(): Int? = if (isPresent) asInt else null

/** The immediate, on receives of SEND and WRITE with immediate. */
fun WorkCompletion.immediateOrNull(): Int? = immediate().orNull()

/** The key that shows nothing any more, on receives of SEND with invalidate. */
fun WorkCompletion.invalidatedOrNull(): Int? = invalidated().orNull()

/** On receives of a datagram queue pair. */
fun WorkCompletion.datagramOrNull(): Datagram? = datagram().getOrNull()

/** On completions of a queue that was created with timestamps. */
fun WorkCompletion.timestampTicksOrNull(): Long? = timestampTicks().let { if (it.isPresent) it.asLong else null }

/** The immediate that it carries. */
fun Send.immediateOrNull(): Int? = immediate().orNull()

/** The peer's key that it invalidates. */
fun Send.invalidatesOrNull(): Int? = invalidates().orNull()

/** The immediate that it carries. */
fun RdmaWrite.immediateOrNull(): Int? = immediate().orNull()

/** Where its receives come from, if they are shared. */
fun QueuePair.srqOrNull(): SharedReceiveQueue? = srq().getOrNull()

/** Where send completions go, if a queue is named. */
fun QpDescription<*>.sendQueueOrNull(): CompletionQueue? = sendQueue().getOrNull()

/** Where receive completions go, if a queue is named. */
fun QpDescription<*>.receiveQueueOrNull(): CompletionQueue? = receiveQueue().getOrNull()

/** Where receives come from, if they are shared. */
fun QpDescription<*>.sharedReceivesOrNull(): SharedReceiveQueue? = sharedReceives().getOrNull()

/** Bytes of an entry, if they are named. */
fun CqDescription.entryBytesOrNull(): Int? = entryBytes().orNull()

/** What the queue reports to when armed. */
fun CqDescription.channelOrNull(): CompletionChannel? = channel().getOrNull()

/** The NUMA node that all of the pages are on. */
fun PageLayout.nodeOrNull(): Int? = node().orNull()

/** The global part. */
fun AddressVector.routeOrNull(): GlobalRoute? = route().getOrNull()

/** The file that the domain is known by, or null for one of a process alone. */
fun XrcDomain.fileOrNull(): String? = file().getOrNull()

/** The streams that a dynamically connected initiator has. */
fun QpDescription.Options.streamsOrNull(): DcStreams? = streams().getOrNull()

/** Sessions that a target has at a time, if they are bounded by more than the adapter's pool. */
fun DcTargetDescription.maxRespondersOrNull(): Int? = maxResponders().orNull()
