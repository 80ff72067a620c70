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
import org.hcaactors.api.device.ProtectionDomain
import org.hcaactors.api.handle.Handle
import org.hcaactors.api.queue.QpDescription
import org.hcaactors.api.queue.QpModify
import org.hcaactors.api.queue.QpState
import org.hcaactors.api.queue.QueuePair
import org.hcaactors.api.queue.RcConnection
import org.hcaactors.api.queue.RcPair
import org.hcaactors.api.queue.RcQueuePair
import org.hcaactors.api.queue.UcConnection
import org.hcaactors.api.queue.UcPair
import org.hcaactors.api.queue.UcQueuePair
import org.hcaactors.client.messages.TagArrival
import org.hcaactors.client.messages.TagReceive

// Every verb returns a CompletionStage, and kotlinx.coroutines.future.await suspends until it completes. Cancelling that await
// does not cancel the verb: its object is created, its request is executed, and no code receives the result. The functions
// of this file undo the verb when the coroutine is cancelled.

/** Waits for the new object. If the coroutine is cancelled, the object is closed, and the cancellation is thrown afterwards. */
suspend fun <H : Handle> CompletionStage<H>.awaitOrClose(): H = awaitOr { it.await().closeAsync().await() }

/** Creates two queue pairs and moves both from RESET to RTS. If the coroutine is cancelled, both are closed. */
suspend fun connectRc(
    local: ProtectionDomain,
    remote: ProtectionDomain,
    attributes: RcConnection = RcConnection.DEFAULT,
): RcPair = connectRc(local, QpDescription.rc(), remote, QpDescription.rc(), attributes)

/** Creates two queue pairs as described and moves both from RESET to RTS. If the coroutine is cancelled, both are closed. */
suspend fun connectRc(
    local: ProtectionDomain,
    ofLocal: QpDescription<RcQueuePair>,
    remote: ProtectionDomain,
    ofRemote: QpDescription<RcQueuePair>,
    attributes: RcConnection = RcConnection.DEFAULT,
): RcPair = RcPair.connect(local, ofLocal, remote, ofRemote, attributes).awaitOr { made -> made.await().let { close(it.local(), it.remote()) } }

/** Creates two queue pairs and moves both from RESET to RTS. If the coroutine is cancelled, both are closed. */
suspend fun connectUc(
    local: ProtectionDomain,
    remote: ProtectionDomain,
    attributes: UcConnection = UcConnection.DEFAULT,
): UcPair = connectUc(local, QpDescription.uc(), remote, QpDescription.uc(), attributes)

/** Creates two queue pairs as described and moves both from RESET to RTS. If the coroutine is cancelled, both are closed. */
suspend fun connectUc(
    local: ProtectionDomain,
    ofLocal: QpDescription<UcQueuePair>,
    remote: ProtectionDomain,
    ofRemote: QpDescription<UcQueuePair>,
    attributes: UcConnection = UcConnection.DEFAULT,
): UcPair = UcPair.connect(local, ofLocal, remote, ofRemote, attributes).awaitOr { made -> made.await().let { close(it.local(), it.remote()) } }

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

private suspend fun close(vararg created: Handle) = created.map { it.closeAsync() }.forEach { it.await() }
