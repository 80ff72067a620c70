// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.future.await
import kotlinx.coroutines.future.future
import kotlinx.coroutines.launch
import org.assertj.core.api.Assertions.assertThat
import org.hcaactors.api.kotlin.completionFlow
import org.hcaactors.api.work.RdmaWrite
import org.hcaactors.api.work.Receive
import org.hcaactors.api.work.Send
import org.hcaactors.lab.world.World

/**
 * A writer has one coroutine WRITE a value and another SEND a notice, and expects them to run in the order of launch. On a
 * dispatcher of several threads the second may run first, so the reader is notified of a value that is not there. Correct: put
 * ordered steps into one coroutine.
 */
internal object ThreadsOvertake {
    /** How two steps are started. */
    private fun interface Start {
        fun of(scope: CoroutineScope, first: suspend () -> Unit, second: suspend () -> Unit)
    }

    private val wrong = Start { scope, first, second ->
        scope.launch { first() }
        scope.launch { second() }
    }

    private val right = Start { scope, first, second ->
        scope.launch {
            first()
            second()
        }
    }

    fun entry(): Entry =
        Entry.of(
            ThreadsOvertake::class.java,
            "two threads are taken to run in the order in which they were started",
            { world -> run(world, wrong) },
            { world -> run(world, right) },
        )

    private fun run(world: World, start: Start) {
        val pair = world.connect(world.adapter("writer"), world.adapter("reader"))
        val writer = pair.a()
        val reader = pair.b()
        reader.postReceive(Receive.of(1))
        val read =
            CoroutineScope(world.executor(reader.context().process()).asCoroutineDispatcher()).future {
                reader.recvCq().completionFlow().first()
                reader.memory().readLong(0)
            }
        writer.memory().writeLong(0, 42)
        start.of(
            CoroutineScope(world.executor(writer.context().process()).asCoroutineDispatcher()),
            { writer.qp().submit(RdmaWrite.of(1, writer.slice(0, 8), reader.remote(0))).await() },
            { writer.qp().submit(Send.of(2)).await() },
        )
        assertThat(world.await(read)).`as`("the value").isEqualTo(42)
    }
}
