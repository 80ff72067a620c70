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

// Extended reliable connected, as functions that suspend.

/** Posts signaled, for the peer's queue of that number, and gives the completion, whatever its status; VerbsException where `submit` fails. */
suspend fun XrcQueuePair.perform(srqNumber: Int, work: RcWork): WorkCompletion = submit(srqNumber, work).await()

/** Opens a domain, or makes it. */
suspend fun DeviceContext.makeXrcDomain(requested: XrcDomainDescription): XrcDomain = openXrcDomain(requested).await()

/** Creates what is asked, in RESET. */
suspend fun XrcDomain.makeTarget(): XrcTarget = createTarget().await()

/** Opens what somebody of the domain created. */
suspend fun XrcDomain.joinTarget(number: Int): XrcTarget = openTarget(number).await()

/** Creates a shared receive queue that peers name. */
suspend fun ProtectionDomain.makeXrcSrq(requested: XrcSrqDescription): SharedReceiveQueue = createXrcSrq(requested).await()

/** RESET to RTS, towards a target that whoever has it connects, too; where a term is refused, it is in RESET again. */
suspend fun XrcQueuePair.connectTo(peer: Gid, peerQp: Int, attributes: RcConnection = RcConnection.DEFAULT) {
    connect(peer, peerQp, attributes).await()
}

/** RESET to RTS, towards what asks, which its owner connects, too; where a term is refused, it is in RESET again. */
suspend fun XrcTarget.connectTo(peer: Gid, peerQp: Int, attributes: RcConnection = RcConnection.DEFAULT) {
    connect(peer, peerQp, attributes).await()
}

/** Changes state and attributes, for everyone who has it open. */
suspend fun XrcTarget.change(requested: QpModify) {
    modify(requested).await()
}
