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

// A request has a buffer, and nothing takes a posted request back. So a deadline says what becomes of the buffer: perform with a
// time and performOrFlush return or throw when the adapter has let go of it; perform without one leaves it to the adapter when its
// coroutine is cancelled.

/** As `perform(work, Duration)` in Java: late, the queue pair goes to ERR, and DeadlineExceededException follows the flush. */
suspend fun RcQueuePair.perform(work: RcWork, atMost: Duration): WorkCompletion = perform(work, atMost.toJavaDuration()).await()

/** As `perform(work, Duration)` in Java: late, the queue pair goes to ERR, and DeadlineExceededException follows the flush. */
suspend fun UcQueuePair.perform(work: UcWork, atMost: Duration): WorkCompletion = perform(work, atMost.toJavaDuration()).await()

/** As `perform(to, work, Duration)` in Java: late, the queue pair goes to ERR, and DeadlineExceededException follows the flush. */
suspend fun UdQueuePair.perform(to: UdAddress, work: UdWork, atMost: Duration): WorkCompletion =
    perform(to, work, atMost.toJavaDuration()).await()

/** As `perform(srqNumber, work, Duration)` in Java: late, the queue pair goes to ERR, and DeadlineExceededException follows the flush. */
suspend fun XrcQueuePair.perform(srqNumber: Int, work: RcWork, atMost: Duration): WorkCompletion =
    perform(srqNumber, work, atMost.toJavaDuration()).await()

/** As `perform(to, work, Duration)` in Java: late, the queue pair goes to ERR, and DeadlineExceededException follows the flush. */
suspend fun DcInitiator.perform(to: DcAddress, work: RcWork, atMost: Duration): WorkCompletion =
    perform(to, work, atMost.toJavaDuration()).await()

/** As `perform`; cancelled, by `withTimeout` for one, it has the queue pair flushed (ERR) and goes on when the buffer is free. */
suspend fun RcQueuePair.performOrFlush(work: RcWork): WorkCompletion = orFlush(submit(work))

/** As `perform`; cancelled, by `withTimeout` for one, it has the queue pair flushed (ERR) and goes on when the buffer is free. */
suspend fun UcQueuePair.performOrFlush(work: UcWork): WorkCompletion = orFlush(submit(work))

/** As `perform`; cancelled, by `withTimeout` for one, it has the queue pair flushed (ERR) and goes on when the buffer is free. */
suspend fun UdQueuePair.performOrFlush(to: UdAddress, work: UdWork): WorkCompletion = orFlush(submit(to, work))

/** As `perform`; cancelled, by `withTimeout` for one, it has the queue pair flushed (ERR) and goes on when the buffer is free. */
suspend fun XrcQueuePair.performOrFlush(srqNumber: Int, work: RcWork): WorkCompletion = orFlush(submit(srqNumber, work))

/** As `perform`; cancelled, by `withTimeout` for one, it has the queue pair flushed (ERR) and goes on when the buffer is free. */
suspend fun DcInitiator.performOrFlush(to: DcAddress, work: RcWork): WorkCompletion = orFlush(submit(to, work))

private suspend fun QueuePair.orFlush(done: CompletionStage<WorkCompletion>): WorkCompletion =
    try {
        done.await()
    } catch (cancelled: CancellationException) {
        withContext(NonCancellable) { flush(done) }
        throw cancelled
    }

/** Whatever becomes of the queue pair, the request ends; how it does is nobody's business who has cancelled. */
private suspend fun QueuePair.flush(done: CompletionStage<WorkCompletion>) {
    for (end in listOf(modify(QpModify.to(QpState.ERR)), done)) {
        try {
            end.await()
        } catch (_: VerbsException) {
            continue
        }
    }
}
