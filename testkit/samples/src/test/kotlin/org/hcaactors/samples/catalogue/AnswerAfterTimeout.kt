// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue

import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.future.await
import kotlinx.coroutines.future.future
import kotlinx.coroutines.launch
import kotlinx.coroutines.withTimeoutOrNull
import org.assertj.core.api.Assertions.assertThat
import org.hcaactors.api.kotlin.completionFlow
import org.hcaactors.api.work.Receive
import org.hcaactors.api.work.Send
import org.hcaactors.lab.pair.RcEnd
import org.hcaactors.lab.world.World

/**
 * A client gives up a request after a millisecond and reuses the answer's buffer. Its receive is still posted, so the answer
 * overwrites the new content. Correct: a receive's buffer belongs to the adapter until the receive has completed.
 */
internal object AnswerAfterTimeout {
    private const val SIZE = 64

    /** Which buffer is used when no answer has arrived. */
    private fun interface Next {
        fun after(given: Long): Long
    }

    private val wrong = Next { given -> given }

    private val right = Next { given -> given + SIZE }

    fun entry(): Entry =
        Entry.of(
            AnswerAfterTimeout::class.java,
            "a buffer whose request has timed out is used again while its receive is posted",
            { world -> run(world, wrong) },
            { world -> run(world, right) },
        )

    private fun run(world: World, next: Next) {
        val pair = world.connect(world.adapter("client"), world.adapter("server"))
        val client = pair.a()
        val server = pair.b()
        CoroutineScope(world.executor(server.context().process()).asCoroutineDispatcher()).launch { serve(server) }
        val note =
            CoroutineScope(world.executor(client.context().process()).asCoroutineDispatcher()).future {
                ask(client, next)
            }
        assertThat(world.await(note)).`as`("what the client noted").isEqualTo(42)
    }

    /** Takes about as long as the client waits. */
    private suspend fun serve(server: RcEnd) {
        server.postReceive(Receive.of(1))
        server.recvCq().completionFlow().first()
        delay(1.milliseconds)
        server.memory().writeLong(0, 7)
        server.qp().submit(Send.of(2, server.slice(0, SIZE))).await()
    }

    private suspend fun ask(client: RcEnd, next: Next): Long {
        client.postReceive(Receive.of(1, client.slice(0, SIZE)))
        client.qp().submit(Send.of(2)).await()
        val answer = withTimeoutOrNull(1.milliseconds) { client.recvCq().completionFlow().first() }
        if (answer != null) {
            return 42
        }
        val buffer = next.after(0)
        client.memory().writeLong(buffer, 42)
        delay(1.milliseconds)
        return client.memory().readLong(buffer)
    }
}
