// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.kotlin

import kotlin.time.Duration.Companion.microseconds
import kotlin.time.toJavaDuration
import kotlinx.coroutines.future.await
import kotlinx.coroutines.withTimeoutOrNull
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.hcaactors.api.completion.Status
import org.hcaactors.api.kotlin.awaitOrFlush
import org.hcaactors.api.queue.DeadlineExceededException
import org.hcaactors.api.queue.QpState
import org.hcaactors.api.work.RdmaWrite
import org.hcaactors.lab.fault.PacketMatch.packet
import org.hcaactors.lab.pair.ConnectedPair
import org.hcaactors.lab.program.ProgramCheck
import org.hcaactors.lab.program.ProgramMistakeException
import org.hcaactors.lab.world.World
import org.junit.jupiter.api.Test

/** Deadlines of requests, and whether the program has the buffer back after one. */
class DeadlinesTest {
    private fun lost(world: World): ConnectedPair {
        world.faults().on(packet().write()).drop()
        return world.connect(world.adapter("a"), world.adapter("b"))
    }

    private fun write(pair: ConnectedPair) = RdmaWrite.of(1, pair.a().slice(0, 8), pair.b().remote(0))

    @Test
    fun `awaitOrFlush returns the buffer at the deadline`() {
        runWorld { world ->
            val pair = lost(world)
            assertThat(withTimeoutOrNull(50.microseconds) { pair.a().qp().awaitOrFlush { submit(write(pair)) } }).isNull()
            assertThat(pair.a().qp().state()).isEqualTo(QpState.ERR)
            pair.a().memory().writeLong(0, 5)
        }
    }

    @Test
    fun `a plain await with a timeout does not return the buffer`() {
        assertThatThrownBy {
            runWorld { world ->
                val pair = lost(world)
                withTimeoutOrNull(50.microseconds) { pair.a().qp().submit(write(pair)).await() }
                pair.a().memory().writeLong(0, 5)
            }
        }.isInstanceOfSatisfying(ProgramMistakeException::class.java) {
            assertThat(it.check()).isEqualTo(ProgramCheck.BUFFER_WRITTEN_EARLY)
        }
    }

    @Test
    fun `a submit with a timeout fails at its deadline`() {
        runWorld { world ->
            val pair = lost(world)
            val late = runCatching { pair.a().qp().submit(write(pair), 50.microseconds.toJavaDuration()).await() }.exceptionOrNull()
            assertThat(late).isInstanceOf(DeadlineExceededException::class.java)
            pair.a().memory().writeLong(0, 5)
        }
    }

    @Test
    fun `a request completed in time succeeds without a flush`() {
        runWorld { world ->
            val pair = world.connect(world.adapter("a"), world.adapter("b"))
            assertThat(pair.a().qp().awaitOrFlush { submit(write(pair)) }.status()).isEqualTo(Status.SUCCESS)
            assertThat(pair.a().qp().state()).isEqualTo(QpState.RTS)
        }
    }
}
