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

// Tagged messages, as suspending functions.

/** Opens an endpoint in this domain. */
suspend fun ProtectionDomain.openTagEndpoint(
    requested: TagEndpointDescription = TagEndpointDescription.DEFAULT,
): TagEndpoint = TagEndpoint.open(this, requested).await()

/** Creates one end of a connection to another endpoint. */
suspend fun TagEndpoint.newPeer(): TagPeer = addPeer().await()

/** Connects to the peer of the other side, whose owner must connect it as well. */
suspend fun TagPeer.connectTo(peer: Gid, peerQp: Int, attributes: RcConnection = RcConnection.DEFAULT) {
    connect(peer, peerQp, attributes).await()
}

/** Sends a message; returns when the buffer can be reused. */
suspend fun TagPeer.deliver(tag: Long, data: TagBuffer) {
    send(tag, data).await()
}

/**
 * Receives a message whose tag equals this one in the bits of the mask. Cancelling the coroutine cancels the receive; if a
 * message has already taken it, that message is lost.
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

/** Closes its connections and the objects that it created. */
suspend fun TagEndpoint.closeAndAwait() {
    closeAsync().await()
}
