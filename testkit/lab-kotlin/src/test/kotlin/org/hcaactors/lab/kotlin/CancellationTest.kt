// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.kotlin

import org.hcaactors.api.queue.QpPair
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.future.await
import kotlinx.coroutines.launch
import org.assertj.core.api.Assertions.assertThat
import org.hcaactors.api.completion.CqDescription
import org.hcaactors.api.device.DeviceContext
import org.hcaactors.api.error.Errno
import org.hcaactors.api.error.VerbsException
import org.hcaactors.api.kotlin.awaitWake
import org.hcaactors.api.kotlin.awaitOrClose
import org.hcaactors.lab.world.World
import org.junit.jupiter.api.Test

/** Objects and requests that a cancelled coroutine leaves behind. */
class CancellationTest {
    private fun World.context(name: String): DeviceContext = adapter(name).process("app").open()

    /** Cancels it when it waits for the first time. */
    private suspend fun CoroutineScope.cancelled(block: suspend () -> Unit) {
        val waiting = launch(start = CoroutineStart.UNDISPATCHED) { block() }
        assertThat(waiting.isActive).isTrue()
        waiting.cancelAndJoin()
    }

    @Test
    fun `awaitOrClose closes the object of a cancelled await`() {
        runWorld { world ->
            val context = world.context("a")
            val channel = context.createChannel().await()
            cancelled { context.createCq(CqDescription.of(16).withChannel(channel)).awaitOrClose() }
            channel.closeAsync().await()
        }
    }

    @Test
    fun `await leaves the object of a cancelled await open`() {
        runWorld { world ->
            val context = world.context("a")
            val channel = context.createChannel().await()
            cancelled { context.createCq(CqDescription.of(16).withChannel(channel)).await() }
            context.createCq(16).await()
            val refused = runCatching { channel.closeAsync().await() }.exceptionOrNull()
            assertThat((refused as VerbsException).errno()).isEqualTo(Errno.EBUSY)
            context.closeAsync().await()
        }
    }

    @Test
    fun `a cancelled connectRc closes both queue pairs`() {
        runWorld { world ->
            val a = world.context("a").allocatePd()
            val b = world.context("b").allocatePd()
            cancelled { QpPair.connectRc(a, b).awaitOrClose() }
            a.closeAsync().await()
            b.closeAsync().await()
        }
    }

    @Test
    fun `awaitWake ends the wait of its thread`() {
        runWorld { world ->
            val waiter = world.adapter("a").process("app").startWaiter().await()
            cancelled { waiter.awaitWake() }
            cancelled { waiter.awaitWake() }
            waiter.closeAsync().await()
        }
    }
}
