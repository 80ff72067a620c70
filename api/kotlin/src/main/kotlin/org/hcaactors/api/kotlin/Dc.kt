// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.kotlin

import kotlinx.coroutines.future.await
import org.hcaactors.api.address.DcAddress
import org.hcaactors.api.completion.WorkCompletion
import org.hcaactors.api.device.ProtectionDomain
import org.hcaactors.api.queue.DcInitiator
import org.hcaactors.api.queue.DcTarget
import org.hcaactors.api.queue.DcTargetDescription
import org.hcaactors.api.queue.DcTargetStatus
import org.hcaactors.api.queue.QpModify
import org.hcaactors.api.queue.RcConnection
import org.hcaactors.api.work.RcWork

// Dynamically connected transport, as suspending functions.

/**
 * Posts a signaled request to a target and returns its completion, successful or not; throws the VerbsException with which
 * `submit` fails.
 */
suspend fun DcInitiator.perform(to: DcAddress, work: RcWork): WorkCompletion = submit(to, work).await()

/** Posts a signaled request to a target on one of the initiator's streams. */
suspend fun DcInitiator.perform(to: DcAddress, stream: Int, work: RcWork): WorkCompletion = submit(to, stream, work).await()

/** RESET to RTS. If an attribute is refused, the initiator returns to RESET. */
suspend fun DcInitiator.openUp(attributes: RcConnection = RcConnection.DEFAULT) {
    open(attributes).await()
}

/** Resets a stream in error, which then accepts requests again. */
suspend fun DcInitiator.recoverStream(stream: Int) {
    resetStream(stream).await()
}

/** Creates a DC target in RESET. */
suspend fun ProtectionDomain.makeDcTarget(requested: DcTargetDescription): DcTarget = createDcTarget(requested).await()

/** RESET to RTR, where the target has a number. */
suspend fun DcTarget.openUp(attributes: RcConnection = RcConnection.DEFAULT) {
    open(attributes).await()
}

/** Queries the status of the target. */
suspend fun DcTarget.askStatus(): DcTargetStatus = status().await()

/** Arms the event for the next wrong access key. */
suspend fun DcTarget.watchKeyViolation() {
    armKeyViolation().await()
}

/** Changes state and attributes. */
suspend fun DcTarget.change(requested: QpModify) {
    modify(requested).await()
}
