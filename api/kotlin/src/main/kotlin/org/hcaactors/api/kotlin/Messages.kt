// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.kotlin

import kotlin.coroutines.cancellation.CancellationException
import kotlinx.coroutines.future.await
import org.hcaactors.api.address.Gid
import org.hcaactors.api.device.ProtectionDomain
import org.hcaactors.client.messages.TagArrival
import org.hcaactors.client.messages.TagBuffer
import org.hcaactors.client.messages.TagEndpoint
import org.hcaactors.client.messages.TagEndpointDescription
import org.hcaactors.client.messages.TagPeer
import org.hcaactors.api.queue.RcConnection
import org.hcaactors.api.tag.TagAdd

// Messages that are found by their tags, as functions that suspend.

/** Makes what an endpoint needs, in that domain. */
suspend fun ProtectionDomain.openTagEndpoint(
    requested: TagEndpointDescription = TagEndpointDescription.DEFAULT,
): TagEndpoint = TagEndpoint.open(this, requested).await()

/** Makes one end of a connection to another endpoint. */
suspend fun TagEndpoint.newPeer(): TagPeer = addPeer().await()

/** To the other side's, which its owner connects, too. */
suspend fun TagPeer.connectTo(peer: Gid, peerQp: Int, attributes: RcConnection = RcConnection.DEFAULT) {
    connect(peer, peerQp, attributes).await()
}

/** Sends a message; returns when the buffer may be used again. */
suspend fun TagPeer.deliver(tag: Long, data: TagBuffer) {
    send(tag, data).await()
}

/**
 * Waits for a message whose tag has the same bits where the mask has one. A coroutine that is cancelled meanwhile gives its receive up,
 * unless a message has taken it: that is lost.
 */
suspend fun TagEndpoint.awaitMessage(tag: Long, into: TagBuffer, mask: Long = TagAdd.EXACTLY): TagArrival {
    val receive = receive(tag, mask, into)
    try {
        return receive.arrival().await()
    } catch (cancelled: CancellationException) {
        receive.cancel()
        throw cancelled
    }
}

/** Closes its connections and what it made. */
suspend fun TagEndpoint.closeAndAwait() {
    closeAsync().await()
}
