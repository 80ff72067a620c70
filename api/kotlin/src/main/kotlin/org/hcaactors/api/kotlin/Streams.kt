// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.kotlin

import java.util.concurrent.Flow as JdkFlow
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.buffer
import kotlinx.coroutines.future.await
import kotlinx.coroutines.jdk9.asFlow
import kotlinx.coroutines.withContext
import org.hcaactors.api.completion.CompletionChannel
import org.hcaactors.api.completion.CompletionCursor
import org.hcaactors.api.completion.CompletionQueue
import org.hcaactors.api.completion.Delivery
import org.hcaactors.api.completion.Waiter
import org.hcaactors.api.completion.WakeCause
import org.hcaactors.api.completion.WorkCompletion
import org.hcaactors.api.connection.ConnectionListener
import org.hcaactors.api.connection.ConnectionRequest
import org.hcaactors.api.device.AsyncEvent
import org.hcaactors.api.device.DeviceContext
import org.hcaactors.client.service.MessageChannel
import org.hcaactors.client.service.Message

/**
 * A flow that requests one element when one is collected. The library's `asFlow()` requests 64 at once: from a completion queue
 * it would take 64 entries before they are collected, and hide an overrun that hardware would have.
 */
fun <T : Any> JdkFlow.Publisher<T>.asRendezvousFlow(): Flow<T> = asFlow().buffer(Channel.RENDEZVOUS)

/**
 * Completions: one is polled when one is collected. Ending the collection by `take` or `first` loses none;
 * cancelling it from outside may lose the one completion that was handed to the flow.
 */
fun CompletionQueue.completionFlow(delivery: Delivery = Delivery.CALLERS): Flow<WorkCompletion> =
    completions(delivery).asRendezvousFlow()

/**
 * Reads in batches, as [CompletionQueue.forEachCompletion], until the queue is destroyed; throws the error that ends the
 * reader. Cancelling stops polling, returns when the handler no longer runs, and loses nothing.
 */
suspend fun CompletionQueue.readCompletions(delivery: Delivery = Delivery.CALLERS, handler: (CompletionCursor) -> Unit) {
    val reader = forEachCompletion(delivery, handler)
    try {
        reader.ended().await()
    } finally {
        reader.close()
        withContext(NonCancellable) { runCatching { reader.ended().await() } }
    }
}

/** Armed queues that report to the channel. */
fun CompletionChannel.wakeupFlow(): Flow<CompletionQueue> = wakeups().asRendezvousFlow()

/** Wake-ups of the thread, one per wait. */
fun Waiter.wakeupFlow(): Flow<WakeCause> = wakeups().asRendezvousFlow()

/** Requests for connections, one at a time; the flow ends when the listener is closed. */
fun ConnectionListener.requestFlow(): Flow<ConnectionRequest> = requests().asRendezvousFlow()

/** Messages of the peer, one at a time, each to be closed by its collector; the flow ends with the channel. */
fun MessageChannel.messageFlow(): Flow<Message> = messages().asRendezvousFlow()

/** Asynchronous events of this context's objects. */
fun DeviceContext.asyncEventFlow(): Flow<AsyncEvent> = asyncEvents().asRendezvousFlow()
