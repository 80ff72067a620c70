// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.kotlin

import kotlinx.coroutines.future.await
import org.hcaactors.api.address.DcAddress
import org.hcaactors.api.completion.WorkCompletion
import org.hcaactors.api.device.ProtectionDomain
import org.hcaactors.client.pool.DciPool
import org.hcaactors.client.pool.DciPoolDescription
import org.hcaactors.api.work.RcWork

// Pools of DC initiators, as suspending functions.

/** Creates the initiators of a pool and opens them. */
suspend fun ProtectionDomain.makeDciPool(requested: DciPoolDescription = DciPoolDescription.DEFAULT): DciPool = DciPool.create(this, requested).await()

/**
 * Posts a signaled request to a target and returns its completion, successful or not; throws the VerbsException with which
 * `submit` fails.
 */
suspend fun DciPool.perform(to: DcAddress, work: RcWork): WorkCompletion = submit(to, work).await()

/** Waits until all requests are answered, and closes the pool. */
suspend fun DciPool.finish() {
    closeAsync().await()
}
