// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.kotlin

import java.util.concurrent.CompletionStage
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.future.await
import kotlinx.coroutines.withContext
import org.hcaactors.api.completion.Waiter
import org.hcaactors.api.completion.WakeCause
import org.hcaactors.api.completion.WorkCompletion
import org.hcaactors.api.handle.Handle
import org.hcaactors.api.queue.QpModify
import org.hcaactors.api.queue.QpState
import org.hcaactors.api.queue.QueuePair
import org.hcaactors.client.messages.TagArrival
import org.hcaactors.client.messages.TagReceive

// Every verb returns a CompletionStage, and kotlinx.coroutines.future.await suspends until it completes. Cancelling that await
// does not cancel the verb: its object is created, its request is executed, and no code receives the result. The functions
// of this file undo the verb when the coroutine is cancelled.

/** Waits for the new object. If the coroutine is cancelled, the object is closed, and the cancellation is thrown afterwards. */
suspend fun <H : Handle> CompletionStage<H>.awaitOrClose(): H = awaitOr { it.await().closeAsync().await() }

/**
 * Waits for the completion of a request, as in `qp.awaitOrFlush { submit(work) }`. If the coroutine is cancelled, for example
 * by `withTimeout`, the queue pair moves to ERR, and the cancellation is thrown when the request is flushed: its buffer is the
 * program's again.
 */
suspend fun <Q : QueuePair> Q.awaitOrFlush(submit: Q.() -> CompletionStage<WorkCompletion>): WorkCompletion =
    submit().awaitOr { done ->
        runCatching { modify(QpModify.to(QpState.ERR)).await() }
        done.await()
    }

/** Waits as the thread until a completion queue that names it wakes it. Cancelling the coroutine ends the wait. */
suspend fun Waiter.awaitWake(): WakeCause =
    await().awaitOr { wake ->
        // A wait that is over already must not be interrupted: that would end the next wait.
        runCatching { if (!wake.toCompletableFuture().isDone) interrupt() }
        wake.await()
    }

/**
 * Waits for the message. Cancelling the coroutine cancels the receive; if a message has already taken it, that message is lost.
 */
suspend fun TagReceive.awaitArrival(): TagArrival = arrival().awaitOr { arrived -> if (!cancel().await()) arrived.await() }

/**
 * Waits for the result of a verb. If the coroutine is cancelled, undoes the verb and then throws the cancellation; the verb ends
 * in every case, and the cancelled caller does not need to know how.
 *
 * @param undo receives this stage, which cancellation leaves alone: `await()` cancels the CompletableFuture that it waits for, so a
 *     copy is awaited.
 */
private suspend fun <T> CompletionStage<T>.awaitOr(undo: suspend (CompletionStage<T>) -> Unit): T {
    val copy = thenApply { it }
    try {
        return copy.await()
    } catch (cancelled: CancellationException) {
        withContext(NonCancellable) { runCatching { undo(this@awaitOr) } }
        throw cancelled
    }
}
