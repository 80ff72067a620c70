// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.kotlin

import java.nio.file.Files
import java.nio.file.Path
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.future.await
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.assertj.core.api.Assertions.assertThat
import org.hcaactors.api.address.AddressVector
import org.hcaactors.api.address.DcAccessKey
import org.hcaactors.api.address.DcAddress
import org.hcaactors.api.address.QKey
import org.hcaactors.api.address.UdAddress
import org.hcaactors.api.completion.CompletionQueue
import org.hcaactors.api.completion.CqDescription
import org.hcaactors.api.completion.Status
import org.hcaactors.api.completion.WorkCompletion
import org.hcaactors.api.device.AsyncEvent
import org.hcaactors.api.device.DeviceContext
import org.hcaactors.api.device.Profile
import org.hcaactors.api.device.ProtectionDomain
import org.hcaactors.api.error.Errno
import org.hcaactors.api.error.PostRefusedException
import org.hcaactors.api.error.VerbsException
import org.hcaactors.api.memory.Access
import org.hcaactors.api.memory.IndirectKeyDescription
import org.hcaactors.api.memory.KeyLayout
import org.hcaactors.api.memory.MemoryRegion
import org.hcaactors.api.memory.WindowBinding
import org.hcaactors.api.memory.WindowType
import org.hcaactors.api.queue.QpPair
import org.hcaactors.api.queue.DcTargetDescription
import org.hcaactors.api.queue.QpDescription
import org.hcaactors.api.queue.QpModify
import org.hcaactors.api.queue.QpState
import org.hcaactors.api.queue.RcConnection
import org.hcaactors.api.queue.RcQueuePair
import org.hcaactors.api.queue.SrqDescription
import org.hcaactors.api.queue.XrcDomainDescription
import org.hcaactors.api.work.BindWindow
import org.hcaactors.api.work.FillKey
import org.hcaactors.api.work.RdmaWrite
import org.hcaactors.api.work.Receive
import org.hcaactors.api.work.Send
import org.hcaactors.client.pool.DciPool
import org.hcaactors.client.pool.DciPoolDescription
import org.hcaactors.network.RdmaNetwork
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test

/** The Kotlin API on real threads. */
class KotlinTest {
    private val network = RdmaNetwork.start()
    private val alice = network.addAdapter("alice", Profile.CONNECTX_5)
    private val bob = network.addAdapter("bob", Profile.CONNECTX_5)

    private class Bed(
        val context: DeviceContext,
        val receiving: ProtectionDomain,
        val cq: CompletionQueue,
        val sender: RcQueuePair,
        val receiver: RcQueuePair,
        val from: MemoryRegion,
        val into: MemoryRegion,
    )

    private suspend fun bed(): Bed {
        val context = bob.process("store").open()
        val pdA = alice.process("app").open().allocatePd()
        val pdB = context.allocatePd()
        val cq = context.createCq(CqDescription.of(127).withChannel(context.createChannel().await())).await()
        val pair = QpPair.connectRc(pdA, QpDescription.rc(), pdB, QpDescription.rc().withRecvCq(cq)).awaitOrClose()
        val from = pdA.register(alice.process("app").allocate(4096), Access.LOCAL_WRITE).await()
        val into = pdB.register(bob.process("store").allocate(4096), Access.LOCAL_WRITE, Access.REMOTE_WRITE).await()
        return Bed(context, pdB, cq, pair.local(), pair.remote(), from, into)
    }

    private suspend fun Bed.send(count: Int) = repeat(count) {
        receiver.postReceive(Receive.of(it.toLong(), into.slice(0, 64)))
        assertThat(sender.submit(Send.of(it.toLong(), from.slice(0, 64))).await().status()).isEqualTo(Status.SUCCESS)
    }

    private fun test(body: suspend () -> Unit) = runBlocking { withTimeout(20_000) { body() } }

    @AfterEach
    fun close() = network.close()

    @Test
    fun aSuspendingVerbGivesTheCompletion() = test {
        val bed = bed()
        val done = bed.sender.submit(RdmaWrite.of(7, bed.from.slice(0, 64), bed.into.remote(0))).await()
        assertThat(done.workId()).isEqualTo(7)
        assertThat(done.status()).isEqualTo(Status.SUCCESS)
    }

    @Test
    fun aListIsPostedUpToTheRefusedRequest() = test {
        val bed = bed()
        val produced = java.util.concurrent.atomic.AtomicLong()
        val cq = bed.context.createCq(CqDescription.of(16).withProducerIndex(produced::set)).await()
        val pair = QpPair.connectRc(bed.receiving, QpDescription.rc().withSendCq(cq), bed.receiving, QpDescription.rc()).awaitOrClose()
        val write = RdmaWrite.of(1, bed.into.slice(0, 8), bed.into.remote(64)).withSignaled()
        val elements = Array(100) { bed.into.slice(0, 1) }
        val refused = runCatching { pair.local().post(listOf(write, write, Send.of(2, *elements), write)) }.exceptionOrNull()
        assertThat((refused as PostRefusedException).index()).isEqualTo(2)
        assertThat(cq.completionFlow().take(2).toList()).allMatch { it.isSuccess }
        assertThat(produced.get()).isEqualTo(2)
    }

    @Test
    fun anIndirectKeyIsMadeAndFilled() = test {
        val bed = bed()
        val pair = QpPair.connectRc(bed.receiving, QpDescription.rc().withKeyFilling(1), bed.receiving, QpDescription.rc()).awaitOrClose()
        val key = bed.receiving.createIndirectKey(IndirectKeyDescription.of(2)).await()
        val list = bed.receiving.allocateKeyList(2).await()
        val layout = KeyLayout.list(bed.into.slice(0, 8), bed.into.slice(32, 8))
        val filled = pair.local().submit(FillKey.of(1, key, layout).withList(list).withAccess(Access.REMOTE_WRITE)).await()
        assertThat(filled.status()).isEqualTo(Status.SUCCESS)
        val written = bed.sender.submit(RdmaWrite.of(2, bed.from.slice(0, 16), key.remote(0))).await()
        assertThat(written.status()).isEqualTo(Status.SUCCESS)
        list.closeAsync().await()
        key.closeAsync().await()
    }

    @Test
    fun aRefusalIsThrownAsItIs() = test {
        val bed = bed()
        val thrown = runCatching { bed.context.createCq(0).await() }.exceptionOrNull()
        assertThat(thrown).isInstanceOf(VerbsException::class.java)
        assertThat((thrown as VerbsException).errno()).isEqualTo(Errno.EINVAL)
    }

    @Test
    fun collectingOnePollsExactlyOne() = test {
        val bed = bed()
        bed.send(10)
        assertThat(bed.cq.completionFlow().first().workId()).isEqualTo(0)
        var left = bed.context.run { takenWhenFree(bed.cq) }
        assertThat(left.map(WorkCompletion::workId)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9)
        left = bed.cq.poll(1).await()
        assertThat(left).isEmpty()
    }

    /** A cancelled subscription releases the queue with a short delay. */
    private suspend fun takenWhenFree(cq: CompletionQueue): List<WorkCompletion> {
        while (true) {
            val result = runCatching { cq.poll(100).await() }
            if ((result.exceptionOrNull() as? VerbsException)?.errno() != Errno.EBUSY) {
                return result.getOrThrow()
            }
        }
    }

    @Test
    fun aCollectorThatStopsInTheMiddleCanGoOnLaterAndLosesNothing() = test {
        val bed = bed()
        bed.send(6)
        val first = bed.cq.completionFlow().take(2).toList()
        val rest = bed.cq.completionFlow().take(4).toList()
        assertThat((first + rest).map(WorkCompletion::workId)).containsExactly(0, 1, 2, 3, 4, 5)
    }

    @Test
    fun aReaderThatIsCancelledLosesNothing() = test {
        val bed = bed()
        bed.send(6)
        val seen = java.util.concurrent.ConcurrentLinkedQueue<Long>()
        val some = CompletableDeferred<Unit>()
        kotlinx.coroutines.coroutineScope {
            val reading = launch {
                bed.cq.readCompletions {
                    seen += it.workId()
                    if (seen.size == 2) some.complete(Unit)
                }
            }
            some.await()
            reading.cancelAndJoin()
        }
        val left = bed.cq.poll(100).await().map(WorkCompletion::workId)
        assertThat(seen + left).containsExactly(0, 1, 2, 3, 4, 5)
    }

    @Test
    fun cancellingAWaitingCoroutineUnpostsNothing() = test {
        val bed = bed()
        kotlinx.coroutines.coroutineScope {
            val waiting = launch(start = CoroutineStart.UNDISPATCHED) {
                bed.sender.submit(Send.of(1, bed.from.slice(0, 64))).await()
            }
            waiting.cancel()
            bed.receiver.postReceive(Receive.of(9, bed.into.slice(0, 64)))
            assertThat(bed.cq.completionFlow().first().workId()).isEqualTo(9)
        }
    }

    @Test
    fun wakeUpsAndEventsAreFlows() = test {
        val bed = bed()
        val channel = bed.context.createChannel().await()
        val cq = bed.context.createCq(CqDescription.of(10).withChannel(channel)).await()
        val other = QpPair.connectRc(bed.receiving, QpDescription.rc().withSendCq(cq), bed.receiving, QpDescription.rc()).awaitOrClose()
        val ready = CompletableDeferred<Unit>()
        kotlinx.coroutines.coroutineScope {
            val woken = async { ready.complete(Unit); channel.wakeupFlow().first() }
            val event = async { bed.context.asyncEventFlow().first() }
            ready.await()
            cq.arm(CompletionQueue.Arm.ANY)
            other.local().submit(RdmaWrite.of(1, emptyList(), bed.into.remote(0))).await()
            assertThat(woken.await()).isSameAs(cq)
            network.unplug(bob)
            assertThat(event.await()).isEqualTo(AsyncEvent(AsyncEvent.Kind.PORT_ERR, 1))
        }
    }

    @Test
    fun datagramsAndSharedReceives() = test {
        val pdA = alice.process("app").open().allocatePd()
        val pdB = bob.process("store").open().allocatePd()
        val srq = pdB.createSrq(SrqDescription.DEFAULT).await()
        val cq = pdB.context().createCq(16).await()
        val receiver = pdB.createQp(QpDescription.ud().withRecvCq(cq).withSrq(srq)).await()
        val sender = pdA.createQp(QpDescription.ud()).await()
        receiver.activate(QKey.of(5)).await()
        sender.activate(QKey.of(5)).await()
        val into = pdB.register(bob.process("store").allocate(4096), Access.LOCAL_WRITE).await()
        srq.postReceive(Receive.of(3, into.slice(0, 100)))
        val path = pdA.createAddressHandle(AddressVector.to(bob.gid())).await()
        assertThat(sender.submit(UdAddress.of(path, receiver.number(), QKey.of(5)), Send.of(1)).await().isSuccess).isTrue()
        val received = cq.completionFlow().first()
        assertThat(received.workId()).isEqualTo(3)
        assertThat(received.datagram().orNull()?.sourceQp()).isEqualTo(sender.number())
        assertThat(received.immediate().orNull()).isNull()
        assertThat(receiver.srq().orNull()).isSameAs(srq)
        assertThat(sender.srq().orNull()).isNull()
    }

    @Test
    fun oneEndIsConnectedWhereThePeerIsElsewhere() = test {
        val here = alice.process("app").open().allocatePd().createQp(QpDescription.rc()).await()
        val there = bob.process("store").open().allocatePd().createQp(QpDescription.rc()).await()
        here.connect(there.gid(), there.number(), RcConnection.DEFAULT).await()
        there.connect(here.gid(), here.number(), RcConnection.DEFAULT).await()
        there.postReceive(Receive.of(1))
        assertThat(here.submit(Send.of(2).withImmediate(7)).await().isSuccess).isTrue()
    }

    @Test
    fun twoProcessesOfAHostAreReachedOverOneConnection() = test {
        val here = alice.process("app").open().allocatePd()
        val from = here.register(alice.process("app").allocate(4096), Access.LOCAL_WRITE).await()
        val file = XrcDomainDescription.of("/run/shared")
        val store = bob.process("store").open()
        val made = store.openXrcDomain(file).await().createTarget().await()
        val archive = bob.process("archive").open()
        val shared = archive.openXrcDomain(file).await()
        assertThat(shared.file().orNull()).isEqualTo("/run/shared")
        val opened = shared.openTarget(made.number()).await()
        val initiator = here.createQp(QpDescription.xrc()).await()
        opened.connect(initiator.gid(), initiator.number(), RcConnection.DEFAULT).await()
        initiator.connect(made.gid(), made.number(), RcConnection.DEFAULT).await()
        val cq = archive.createCq(16).await()
        val pd = archive.allocatePd()
        val into = pd.register(bob.process("archive").allocate(4096), Access.LOCAL_WRITE).await()
        val srq = pd.createSrq(SrqDescription.DEFAULT.withXrc(shared, cq)).await()
        srq.postReceive(Receive.of(3, into.slice(0, 64)))
        val done = initiator.submit(srq.number(), Send.of(1, from.slice(0, 64))).await()
        assertThat(done.status()).isEqualTo(Status.SUCCESS)
        assertThat(cq.completionFlow().first().workId()).isEqualTo(3)
        made.modify(QpModify.to(QpState.ERR)).await()
        assertThat(opened.state()).isEqualTo(QpState.ERR)
    }

    @Test
    fun aTargetIsReachedByWhoeverKnowsItsNumberAndItsKey() = test {
        val context = bob.process("store").open()
        val pd = context.allocatePd()
        val into = pd.register(bob.process("store").allocate(4096), Access.LOCAL_WRITE, Access.REMOTE_WRITE).await()
        val cq = context.createCq(16).await()
        val srq = pd.createSrq(SrqDescription.DEFAULT).await()
        val requested = DcTargetDescription.of(cq, srq, DcAccessKey.of(0xDC)).withMaxResponders(8)
        assertThat(requested.maxResponders().orNull()).isEqualTo(8)
        val target = pd.createDcTarget(requested).await()
        target.open(RcConnection.DEFAULT).await()
        srq.postReceive(Receive.of(3, into.slice(0, 64)))
        val here = alice.process("app").open().allocatePd()
        val from = here.register(alice.process("app").allocate(4096), Access.LOCAL_WRITE).await()
        val initiator = here.createQp(QpDescription.dc()).await()
        assertThat(QpDescription.dc().options().streams().orNull()).isNull()
        initiator.open(RcConnection.DEFAULT.withRdAtomic(1)).await()
        val path = here.createAddressHandle(AddressVector.to(target.gid())).await()
        val to = DcAddress.of(path, target.number(), DcAccessKey.of(0xDC))
        assertThat(initiator.submit(to, Send.of(1, from.slice(0, 64))).await().status()).isEqualTo(Status.SUCCESS)
        assertThat(cq.completionFlow().first().workId()).isEqualTo(3)
        assertThat(initiator.submit(to, 0, RdmaWrite.of(2, from.slice(0, 64), into.remote(64))).await().isSuccess).isTrue()
        val pool = DciPool.create(here, DciPoolDescription.DEFAULT.withInitiators(2)).await()
        assertThat(pool.submit(to, RdmaWrite.of(4, from.slice(0, 64), into.remote(64))).await().isSuccess).isTrue()
        pool.closeAsync().await()
        assertThat(pool.statistics().posted()).isEqualTo(1)
        target.armKeyViolation().await()
        assertThat(target.status().await().keyViolations()).isZero()
        val refused = runCatching { initiator.resetStream(0).await() }.exceptionOrNull()
        assertThat((refused as VerbsException).errno()).isEqualTo(Errno.EINVAL)
        val stuck = runCatching { target.modify(QpModify.to(QpState.ERR)).await() }.exceptionOrNull()
        assertThat((stuck as VerbsException).errno()).isEqualTo(Errno.EINVAL)
        target.closeAsync().await()
    }

    @Test
    fun memoryIsFreedOnceNoRegionCoversIt() = test {
        val bed = bed()
        val memory = bed.into.memory()
        val refused = runCatching { memory.closeAsync().await() }.exceptionOrNull()
        assertThat((refused as VerbsException).errno()).isEqualTo(Errno.EBUSY)
        bed.into.closeAsync().await()
        memory.closeAsync().await()
        assertThat(memory.isMapped).isFalse()
    }

    @Test
    fun aWindowIsBoundAndWrittenThrough() = test {
        val bed = bed()
        val region = bed.receiving.register(bed.into.memory(), Access.LOCAL_WRITE, Access.MW_BIND).await()
        val window = bed.receiving.allocateWindow(WindowType.TYPE_2).await()
        val shown = WindowBinding.of(region).withAccess(Access.REMOTE_WRITE)
        assertThat(bed.receiver.submit(BindWindow.of(1, window, shown)).await().isSuccess).isTrue()
        val write = RdmaWrite.of(2, bed.from.slice(0, 64), window.remote(region.address()))
        assertThat(bed.sender.submit(write).await().isSuccess).isTrue()
        bed.receiver.postReceive(Receive.of(9))
        val last = Send.of(3).withInvalidate(window.rkey())
        assertThat(last.invalidate().orNull()).isEqualTo(window.rkey())
        assertThat(bed.sender.submit(last).await().isSuccess).isTrue()
        val received = bed.cq.completionFlow().first { it.workId() == 9L }
        assertThat(received.invalidated().orNull()).isEqualTo(window.rkey())
        window.closeAsync().await()
        val other = bed.receiving.allocateWindow(WindowType.TYPE_1).await()
        assertThat(bed.receiver.submitBind(4, other, shown).await().isSuccess).isTrue()
        other.closeAsync().await()
        region.closeAsync().await()
    }

    @Test
    fun theGuidesExampleRunsAndIsWhatTheGuideShows() = test {
        val seen = java.util.concurrent.CopyOnWriteArrayList<WorkCompletion>()
        service(seen::add)
        val source = Files.readString(Path.of("src/test/kotlin/org/hcaactors/api/kotlin/ReadmeExample.kt"))
        val example = source.substringAfter("// begin kotlin\n").substringBefore("    // end kotlin")
        val page = Files.readString(Path.of("../../docs/guide/kotlin.md"))
        assertThat(squeezed(page)).contains(squeezed(example))
    }

    private fun squeezed(text: String) = text.replace(Regex("\\s+"), "")
}
