// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.kotlin

import kotlinx.coroutines.future.await
import org.hcaactors.api.device.ProtectionDomain
import org.hcaactors.api.tag.TagSharedReceiveQueue
import org.hcaactors.api.tag.TagSnapshot
import org.hcaactors.api.tag.TagSrqDescription

// Tag matching, as suspending functions.

/** Creates a tag-matching shared receive queue. */
suspend fun ProtectionDomain.makeTagSrq(requested: TagSrqDescription): TagSharedReceiveQueue = createTagSrq(requested).await()

/** Queries its tag list and its counters. */
suspend fun TagSharedReceiveQueue.tags(): TagSnapshot = queryTags().await()
