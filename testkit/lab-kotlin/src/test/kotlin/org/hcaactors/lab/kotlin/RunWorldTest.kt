// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.kotlin

import java.io.IOException
import java.time.Duration
import java.util.concurrent.CompletableFuture
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.microseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.future.await
import kotlinx.coroutines.launch
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.withTimeoutOrNull
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.hcaactors.api.completion.Status
import org.hcaactors.api.work.RdmaWrite
import org.hcaactors.api.work.Receive
import org.hcaactors.api.work.Send
import org.hcaactors.lab.fault.PacketMatch.packet
import org.hcaactors.lab.fault.Swarm
import org.hcaactors.lab.seeds.RdmaFailure
import org.hcaactors.lab.seeds.RdmaTests
import org.hcaactors.lab.world.Pace
import org.hcaactors.lab.world.WorldOptions
import org.hcaactors.lab.world.WorldStalledException
import org.junit.jupiter.api.Test

/** Coroutines in worlds. */
class RunWorldTest {
    // docs begin
    @Test
    fun `a request that is late is given up, and its buffer is not`() {
        runWorld(seed = 7) { world ->
            val pair = world.connect(world.adapter("a"), world.adapter("b"))
            world.faults().on(packet().ack()).first().drop()

            val done = pair.a().qp().submit(RdmaWrite.of(1, pair.a().slice(0, 64), pair.b().remote(0)))
            val inTime = withTimeoutOrNull(50.microseconds) { done.await() } // of the world's time

            assertThat(inTime).isNull()
            assertThat(done.await().status()).isEqualTo(Status.SUCCESS) // only now the buffer is the program's again
        }
    }
    // docs end

    @Test
    fun `delays count virtual time`() {
        val before = System.nanoTime()
        val took = runWorld { world ->
            val began = world.now()
            delay(3.hours)
            world.now() - began
        }
        assertThat(took).isBetween(Duration.ofHours(3).toNanos(), Duration.ofHours(3).plusMillis(1).toNanos())
        assertThat(System.nanoTime() - before).isLessThan(Duration.ofMinutes(1).toNanos())
    }

    @Test
    fun `a timeout counts virtual time`() {
        assertThatThrownBy { runWorld<Unit> { withTimeout(5.seconds) { delay(6.seconds) } } }
            .isInstanceOf(TimeoutCancellationException::class.java)
        assertThat(runWorld { withTimeout(5.seconds) { delay(4.seconds); "in time" } }).isEqualTo("in time")
    }

    @Test
    fun `steps of coroutines are in an order that the seed draws`() {
        fun order(seed: Long) = runWorld(seed) {
            val order = mutableListOf<Int>()
            coroutineScope { repeat(4) { launch { order.add(it) } } }
            order.toList()
        }
        assertThat((0L..20L).map(::order).distinct()).hasSizeGreaterThan(5)
        assertThat(order(3)).isEqualTo(order(3))
    }

    @Test
    fun `coroutines launched in its scope are awaited`() {
        val done = mutableListOf<String>()
        runWorld { launch { delay(1.seconds); done.add("later") } }
        assertThat(done).containsExactly("later")
    }

    @Test
    fun `an exception is rethrown unchanged`() {
        class Own : Exception("own")
        assertThatThrownBy { runWorld<Unit> { throw IOException("checked") } }
            .isExactlyInstanceOf(IOException::class.java)
            .hasMessage("checked")
        assertThatThrownBy { runWorld<Unit> { throw AssertionError("wished") } }.isExactlyInstanceOf(AssertionError::class.java)
        assertThatThrownBy { runWorld<Unit> { awaitAll(async { delay(1.hours) }, async { throw Own() }) } }
            .isExactlyInstanceOf(Own::class.java)
    }

    @Test
    fun `a world that has stalled names the coroutines that wait`() {
        assertThatThrownBy {
            runWorld<Unit> {
                launch(CoroutineName("waits for a message")) { CompletableFuture<Unit>().await() }
                launch(CoroutineName("is done")) { delay(1.seconds) }
                launch { CompletableFuture<Unit>().await() }
            }
        }
            .isInstanceOf(WorldStalledException::class.java)
            .hasMessageContaining("no task is ready and no timer is armed")
            .hasMessageEndingWith("coroutines that wait: waits for a message, a coroutine without a CoroutineName")
        assertThatThrownBy { runWorld<Unit> { CompletableFuture<Unit>().await() } }.hasMessageEndingWith("the body itself waits")
    }

    @Test
    fun `the options of its world may be others`() {
        val options = WorldOptions.ofProgram(5, Pace.INSTANT)
        assertThat(runWorld(options = options) { it.pace() to it.seed() }).isEqualTo(Pace.INSTANT to 5L)
    }

    @Test
    fun `a builder runs coroutines over many seeds`() {
        val seeds = mutableSetOf<Long>()
        RdmaTests.seeds(10).swarm(Swarm.WIRE).runSuspending { world ->
            val pair = world.connect(world.adapter("a"), world.adapter("b"))
            repeat(20) { round ->
                pair.b().qp().postReceive(Receive.of(1, pair.b().slice(64L * round, 64)))
                pair.a().qp().submit(Send.of(1, pair.a().slice(0, 64))).await()
            }
            seeds.add(world.seed())
        }
        assertThat(seeds).hasSize(10)
        assertThatThrownBy { RdmaTests.seeds(10).runSuspending { delay(1.seconds); throw AssertionError("a wish") } }
            .isInstanceOf(RdmaFailure::class.java)
            .hasMessageStartingWith("a wish")
    }
}
