// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.kotlin

import kotlinx.coroutines.future.await
import org.hcaactors.api.address.Gid
import org.hcaactors.api.completion.WorkCompletion
import org.hcaactors.api.device.DeviceContext
import org.hcaactors.api.device.ProtectionDomain
import org.hcaactors.api.queue.QpModify
import org.hcaactors.api.queue.RcConnection
import org.hcaactors.api.queue.SharedReceiveQueue
import org.hcaactors.api.queue.XrcQueuePair
import org.hcaactors.api.queue.XrcTarget
import org.hcaactors.api.work.RcWork
import org.hcaactors.api.xrc.XrcDomain
import org.hcaactors.api.xrc.XrcDomainDescription
import org.hcaactors.api.xrc.XrcSrqDescription

// Extended reliable connected transport, as suspending functions.

/**
 * Posts a signaled request for the peer's shared receive queue of this number and returns its completion, successful or not;
 * throws the VerbsException with which `submit` fails.
 */
suspend fun XrcQueuePair.perform(srqNumber: Int, work: RcWork): WorkCompletion = submit(srqNumber, work).await()

/** Opens or creates an XRC domain. */
suspend fun DeviceContext.makeXrcDomain(requested: XrcDomainDescription): XrcDomain = openXrcDomain(requested).await()

/** Creates an XRC target in RESET. */
suspend fun XrcDomain.makeTarget(): XrcTarget = createTarget().await()

/** Opens an XRC target of this domain. */
suspend fun XrcDomain.joinTarget(number: Int): XrcTarget = openTarget(number).await()

/** Creates a shared receive queue that peers name by its number. */
suspend fun ProtectionDomain.makeXrcSrq(requested: XrcSrqDescription): SharedReceiveQueue = createXrcSrq(requested).await()

/** RESET to RTS. The owner of the target must connect it as well. If an attribute is refused, the queue pair returns to RESET. */
suspend fun XrcQueuePair.connectTo(peer: Gid, peerQp: Int, attributes: RcConnection = RcConnection.DEFAULT) {
    connect(peer, peerQp, attributes).await()
}

/** RESET to RTS. The owner of the initiator must connect it as well. If an attribute is refused, the target returns to RESET. */
suspend fun XrcTarget.connectTo(peer: Gid, peerQp: Int, attributes: RcConnection = RcConnection.DEFAULT) {
    connect(peer, peerQp, attributes).await()
}

/** Changes state and attributes of the target, for all its handles. */
suspend fun XrcTarget.change(requested: QpModify) {
    modify(requested).await()
}
