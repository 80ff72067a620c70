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

// Dynamically connected, as functions that suspend.

/** Posts signaled, for that target, and gives the completion, whatever its status; VerbsException where `submit` fails. */
suspend fun DcInitiator.perform(to: DcAddress, work: RcWork): WorkCompletion = submit(to, work).await()

/** The same on one of its streams. */
suspend fun DcInitiator.perform(to: DcAddress, stream: Int, work: RcWork): WorkCompletion = submit(to, stream, work).await()

/** RESET to RTS; where a term is refused, it is in RESET again. */
suspend fun DcInitiator.openUp(attributes: RcConnection = RcConnection.DEFAULT) {
    open(attributes).await()
}

/** A stream that is in error takes requests again. */
suspend fun DcInitiator.recoverStream(stream: Int) {
    resetStream(stream).await()
}

/** Creates what initiators reach, in RESET. */
suspend fun ProtectionDomain.makeDcTarget(requested: DcTargetDescription): DcTarget = createDcTarget(requested).await()

/** RESET to RTR, from where on it has a number. */
suspend fun DcTarget.openUp(attributes: RcConnection = RcConnection.DEFAULT) {
    open(attributes).await()
}

/** How it stands. */
suspend fun DcTarget.askStatus(): DcTargetStatus = status().await()

/** Has the next access key that is wrong told by an event. */
suspend fun DcTarget.watchKeyViolation() {
    armKeyViolation().await()
}

/** Changes state and attributes. */
suspend fun DcTarget.change(requested: QpModify) {
    modify(requested).await()
}
