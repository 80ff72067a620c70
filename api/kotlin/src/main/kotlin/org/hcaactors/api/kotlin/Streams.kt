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
import org.hcaactors.api.completion.Waiter
import org.hcaactors.api.completion.WakeCause
import org.hcaactors.api.completion.WorkCompletion
import org.hcaactors.api.device.AsyncEvent
import org.hcaactors.api.device.DeviceContext

/**
 * A flow that asks for one element when one is collected. The bridge's own `asFlow()` asks for 64 at once: from a completion
 * queue it would take 64 entries that nobody has collected, and hide the overrun that hardware would show.
 */
fun <T : Any> JdkFlow.Publisher<T>.asRendezvousFlow(): Flow<T> = asFlow().buffer(Channel.RENDEZVOUS)

/** Completions: one is polled when one is collected. Leaving the collection stops polling and loses nothing. */
fun CompletionQueue.completionFlow(): Flow<WorkCompletion> = completions().asRendezvousFlow()

/**
 * Reads by the batch, as [CompletionQueue.forEachCompletion] does, until the queue is destroyed, and throws what fails the
 * reader. Cancelling stops polling, returns when the handler runs no more, and loses nothing.
 */
suspend fun CompletionQueue.readCompletions(handler: (CompletionCursor) -> Unit) {
    val reader = forEachCompletion(handler)
    try {
        reader.ended().await()
    } finally {
        reader.close()
        withContext(NonCancellable) { runCatching { reader.ended().await() } }
    }
}

/** Queues that were written to after they were armed. */
fun CompletionChannel.wakeupFlow(): Flow<CompletionQueue> = wakeups().asRendezvousFlow()

/** What wakes the thread, one wait after the other. */
fun Waiter.wakeFlow(): Flow<WakeCause> = wakes().asRendezvousFlow()

/** Asynchronous events of this context's objects. */
fun DeviceContext.asyncEventFlow(): Flow<AsyncEvent> = asyncEvents().asRendezvousFlow()
