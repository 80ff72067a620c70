// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.kotlin

import java.net.InetSocketAddress
import java.nio.ByteBuffer
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.flow.launchIn
import kotlinx.coroutines.flow.onEach
import kotlinx.coroutines.future.await
import kotlinx.coroutines.launch
import org.hcaactors.api.completion.Status
import org.hcaactors.api.completion.WorkCompletion
import org.hcaactors.api.connection.ConnectionDescription
import org.hcaactors.api.device.Profile
import org.hcaactors.api.memory.Access.LOCAL_WRITE
import org.hcaactors.api.memory.Access.REMOTE_WRITE
import org.hcaactors.api.memory.RemoteAddress
import org.hcaactors.api.queue.QpDescription
import org.hcaactors.api.work.RdmaWrite
import org.hcaactors.network.RdmaNetwork

/** The README's Kotlin example: the README shows the text between the marks. */
internal suspend fun service(log: (WorkCompletion) -> Unit): Unit = coroutineScope {
    // begin kotlin
    RdmaNetwork.start().use { network ->
        val app = network.addAdapter("alice", Profile.CONNECTX_5).process("app").open()
        val store = network.addAdapter("bob", Profile.CONNECTX_5).process("store").open()
        val (pdA, pdB) = listOf(app, store).map { it.allocatePd() }
        val from = pdA.register(app.process().allocate(4096), LOCAL_WRITE).await()
        val into = pdB.register(store.process().allocate(4096), LOCAL_WRITE, REMOTE_WRITE).await()

        val where = ByteBuffer.allocate(12).putInt(into.rkey()).putLong(into.address()).flip()
        val listener = store.listen(7174, 8).await()
        launch { listener.requestFlow().collect { it.accept(ConnectionDescription.of(pdB).withPrivateData(where)) } }

        val cq = app.createCq(256).await()
        val described = ConnectionDescription.of(pdA).withQp(QpDescription.rc().withSendCq(cq))
        val connection = app.connect(InetSocketAddress.createUnresolved("bob", 7174), described).awaitOrClose()
        val logging = cq.completionFlow().onEach { log(it) }.launchIn(this) // one polled when one is collected
        val there = connection.privateData().let { RemoteAddress(it.int, it.long) }

        connection.qp().post(RdmaWrite.of(1, from.slice(0, 64), there).withSignaled())
        val done = connection.qp().submit(RdmaWrite.of(2, from.slice(64, 64), there.plus(64))).await() // suspends
        when (done.status()) {
            Status.SUCCESS -> println("written")
            Status.RETRY_EXC_ERR -> println("the peer does not answer")
            else -> error(done)
        }
        logging.cancel() // stops polling; one completion that was handed over may be lost
        listener.closeAsync().await() // ends the flow of requests
    }
    // end kotlin
}
