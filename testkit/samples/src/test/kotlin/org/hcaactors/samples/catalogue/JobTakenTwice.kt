// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue

import java.util.concurrent.CompletableFuture
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.future.await
import kotlinx.coroutines.future.future
import org.assertj.core.api.Assertions.assertThat
import org.hcaactors.api.queue.QpPair
import org.hcaactors.api.queue.RcQueuePair
import org.hcaactors.api.work.FetchAdd
import org.hcaactors.api.work.RdmaRead
import org.hcaactors.api.work.RdmaWrite
import org.hcaactors.lab.pair.Side
import org.hcaactors.lab.world.World

/**
 * Workers take the next job's number from a word at a server, by a READ and a WRITE of the number plus one. Two may READ the
 * same number, so a job is done twice and another is not done. Correct: FETCH_ADD, which is one atomic step.
 */
internal object JobTakenTwice {
    private const val WORKERS = 2
    private const val JOBS = 6

    /** How a worker gets a number, into the beginning of its memory. */
    private fun interface Taking {
        suspend fun next(qp: RcQueuePair, own: Side, server: Side)
    }

    private val wrong = Taking { qp, own, server ->
        qp.submit(RdmaRead.of(1, own.slice(0, 8), server.remote(0))).await()
        own.memory().writeLong(8, own.memory().readLong(0) + 1)
        qp.submit(RdmaWrite.of(2, own.slice(8, 8), server.remote(0))).await()
    }

    private val right = Taking { qp, own, server ->
        qp.submit(FetchAdd.of(1, own.slice(0, 8), server.remote(0), 1)).await()
    }

    fun entry(): Entry =
        Entry.of(
            JobTakenTwice::class.java,
            "a shared number is counted up by a READ and a WRITE",
            { world -> run(world, wrong) },
            { world -> run(world, right) },
        )

    private fun run(world: World, taking: Taking) {
        val server = Side.of(world.network(), world.adapter("server"), "app", 4096)
        val done = (1..WORKERS).map { worker(world, it, server, taking) }
        assertThat(done.flatMap { world.await(it) }).`as`("jobs that were done").doesNotHaveDuplicates()
    }

    private fun worker(world: World, number: Int, server: Side, taking: Taking): CompletableFuture<List<Long>> {
        val own = Side.of(world.network(), world.adapter("worker$number"), "app", 4096)
        val qp = world.await(QpPair.connectRc(own.domain(), server.domain())).local()
        val threads = world.executor(own.context().process()).asCoroutineDispatcher()
        return CoroutineScope(threads).future {
            List(JOBS / WORKERS) {
                taking.next(qp, own, server)
                own.memory().readLong(0)
            }
        }
    }
}
