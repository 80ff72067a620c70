// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.kotlin

import java.util.concurrent.CompletionStage
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.future.await
import kotlinx.coroutines.withContext
import org.hcaactors.api.address.DcAddress
import org.hcaactors.api.address.UdAddress
import org.hcaactors.api.completion.WorkCompletion
import org.hcaactors.api.error.VerbsException
import org.hcaactors.api.queue.DcInitiator
import org.hcaactors.api.queue.QpModify
import org.hcaactors.api.queue.QpState
import org.hcaactors.api.queue.QueuePair
import org.hcaactors.api.queue.RcQueuePair
import org.hcaactors.api.queue.UcQueuePair
import org.hcaactors.api.queue.UdQueuePair
import org.hcaactors.api.queue.XrcQueuePair
import org.hcaactors.api.work.RcWork
import org.hcaactors.api.work.UcWork
import org.hcaactors.api.work.UdWork

// Deadlines and buffers: a posted request cannot be cancelled, and the adapter owns its buffer until it completes. perform with
// a time and performOrFlush return or throw only when the adapter has released the buffer; perform without a time leaves the
// buffer to the adapter if its coroutine is cancelled.

/** As `perform(work, Duration)` in Java: at the deadline it moves to ERR, and DeadlineExceededException follows the flush. */
suspend fun RcQueuePair.perform(work: RcWork, atMost: Duration): WorkCompletion = perform(work, atMost.toJavaDuration()).await()

/** As `perform(work, Duration)` in Java: at the deadline it moves to ERR, and DeadlineExceededException follows the flush. */
suspend fun UcQueuePair.perform(work: UcWork, atMost: Duration): WorkCompletion = perform(work, atMost.toJavaDuration()).await()

/** As `perform(to, work, Duration)` in Java: at the deadline it moves to ERR, and DeadlineExceededException follows the flush. */
suspend fun UdQueuePair.perform(to: UdAddress, work: UdWork, atMost: Duration): WorkCompletion =
    perform(to, work, atMost.toJavaDuration()).await()

/**
 * As `perform(srqNumber, work, Duration)` in Java: at the deadline it moves to ERR, and DeadlineExceededException follows the
 * flush.
 */
suspend fun XrcQueuePair.perform(srqNumber: Int, work: RcWork, atMost: Duration): WorkCompletion =
    perform(srqNumber, work, atMost.toJavaDuration()).await()

/** As `perform(to, work, Duration)` in Java: at the deadline it moves to ERR, and DeadlineExceededException follows the flush. */
suspend fun DcInitiator.perform(to: DcAddress, work: RcWork, atMost: Duration): WorkCompletion =
    perform(to, work, atMost.toJavaDuration()).await()

/** As `perform`; cancelling it, for example by `withTimeout`, moves the queue pair to ERR and waits for the buffer. */
suspend fun RcQueuePair.performOrFlush(work: RcWork): WorkCompletion = orFlush(submit(work))

/** As `perform`; cancelling it, for example by `withTimeout`, moves the queue pair to ERR and waits for the buffer. */
suspend fun UcQueuePair.performOrFlush(work: UcWork): WorkCompletion = orFlush(submit(work))

/** As `perform`; cancelling it, for example by `withTimeout`, moves the queue pair to ERR and waits for the buffer. */
suspend fun UdQueuePair.performOrFlush(to: UdAddress, work: UdWork): WorkCompletion = orFlush(submit(to, work))

/** As `perform`; cancelling it, for example by `withTimeout`, moves the queue pair to ERR and waits for the buffer. */
suspend fun XrcQueuePair.performOrFlush(srqNumber: Int, work: RcWork): WorkCompletion = orFlush(submit(srqNumber, work))

/** As `perform`; cancelling it, for example by `withTimeout`, moves the queue pair to ERR and waits for the buffer. */
suspend fun DcInitiator.performOrFlush(to: DcAddress, work: RcWork): WorkCompletion = orFlush(submit(to, work))

private suspend fun QueuePair.orFlush(done: CompletionStage<WorkCompletion>): WorkCompletion =
    try {
        done.await()
    } catch (cancelled: CancellationException) {
        withContext(NonCancellable) { flush(done) }
        throw cancelled
    }

/** The request ends in every case; the cancelled caller does not need to know how. */
private suspend fun QueuePair.flush(done: CompletionStage<WorkCompletion>) {
    for (end in listOf(modify(QpModify.to(QpState.ERR)), done)) {
        try {
            end.await()
        } catch (_: VerbsException) {
            continue
        }
    }
}
