// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.kotlin

import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.flow.launchIn
import kotlinx.coroutines.flow.onEach
import kotlinx.coroutines.future.await
import org.hcaactors.api.completion.Status
import org.hcaactors.api.completion.WorkCompletion
import org.hcaactors.api.device.Profile
import org.hcaactors.api.memory.Access.LOCAL_WRITE
import org.hcaactors.api.memory.Access.REMOTE_WRITE
import org.hcaactors.api.queue.QpPair
import org.hcaactors.api.queue.QpDescription
import org.hcaactors.api.work.RdmaWrite
import org.hcaactors.network.RdmaNetwork

/** The README's Kotlin example: the README shows the text between the marks. */
internal suspend fun service(log: (WorkCompletion) -> Unit) = coroutineScope {
    // begin kotlin
    RdmaNetwork.start().use { network ->
        val alice = network.addAdapter("alice", Profile.CONNECTX_5).process("app")
        val bob = network.addAdapter("bob", Profile.CONNECTX_5).process("store")
        val (pdA, pdB) = listOf(alice, bob).map { it.open().allocatePd() }
        val from = pdA.register(alice.allocate(4096), LOCAL_WRITE).await()
        val into = pdB.register(bob.allocate(4096), LOCAL_WRITE, REMOTE_WRITE).await()

        val cq = pdA.context().createCq(256).await()
        val pair = QpPair.connectRc(pdA, QpDescription.rc().withSendCq(cq), pdB, QpDescription.rc()).awaitOrClose()
        val logging = cq.completionFlow().onEach { log(it) }.launchIn(this) // one polled when one is collected

        pair.local().post(RdmaWrite.of(1, from.slice(0, 64), into.remote(0)).withSignaled())
        val done = pair.local().submit(RdmaWrite.of(2, from.slice(64, 64), into.remote(64))).await() // suspends
        when (done.status()) {
            Status.SUCCESS -> println("written")
            Status.RETRY_EXC_ERR -> println("the peer does not answer")
            else -> error(done)
        }
        logging.cancel() // stops polling; one completion that was handed over may be lost
    }
    // end kotlin
}
