// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.kotlin

import kotlinx.coroutines.future.await
import org.hcaactors.api.device.ProtectionDomain
import org.hcaactors.api.tag.TagSharedReceiveQueue
import org.hcaactors.api.tag.TagSnapshot
import org.hcaactors.api.tag.TagSrqDescription

// Tag matching, as functions that suspend.

/** Creates a shared receive queue whose adapter compares tags. */
suspend fun ProtectionDomain.makeTagSrq(requested: TagSrqDescription): TagSharedReceiveQueue = createTagSrq(requested).await()

/** What its list and its counters are now. */
suspend fun TagSharedReceiveQueue.tags(): TagSnapshot = queryTags().await()
