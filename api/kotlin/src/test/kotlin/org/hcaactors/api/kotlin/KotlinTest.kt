// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.kotlin

import java.nio.file.Files
import java.nio.file.Path
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.async
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.assertj.core.api.Assertions.assertThat
import org.hcaactors.api.address.AddressVector
import org.hcaactors.api.address.DcAddress
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
import org.hcaactors.api.error.VerbsException
import org.hcaactors.api.memory.Access
import org.hcaactors.api.memory.IndirectKeyDescription
import org.hcaactors.api.memory.KeyLayout
import org.hcaactors.api.memory.MemoryRegion
import org.hcaactors.api.memory.WindowBinding
import org.hcaactors.api.memory.WindowType
import org.hcaactors.client.pool.DciPoolDescription
import org.hcaactors.api.queue.DcTargetDescription
import org.hcaactors.api.queue.QpDescription
import org.hcaactors.api.queue.QpModify
import org.hcaactors.api.queue.QpState
import org.hcaactors.api.queue.RcConnection
import org.hcaactors.api.queue.RcQueuePair
import org.hcaactors.api.work.FillKey
import org.hcaactors.api.work.RdmaWrite
import org.hcaactors.api.work.Receive
import org.hcaactors.api.work.Send
import org.hcaactors.api.xrc.XrcDomainDescription
import org.hcaactors.api.xrc.XrcSrqDescription
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
        val cq = context.makeCq(CqDescription.of(127).withChannel(context.makeChannel()))
        val pair = connectRc(pdA, QpDescription.rc(), pdB, QpDescription.rc().withRecvCq(cq))
        val from = pdA.registerMemory(alice.process("app").allocate(4096), Access.LOCAL_WRITE)
        val into = pdB.registerMemory(bob.process("store").allocate(4096), Access.LOCAL_WRITE, Access.REMOTE_WRITE)
        return Bed(context, pdB, cq, pair.local(), pair.remote(), from, into)
    }

    private suspend fun Bed.send(count: Int) = repeat(count) {
        receiver.postReceive(Receive.of(it.toLong(), into.slice(0, 64)))
        assertThat(sender.perform(Send.of(it.toLong(), from.slice(0, 64))).status()).isEqualTo(Status.SUCCESS)
    }

    private fun test(body: suspend () -> Unit) = runBlocking { withTimeout(20_000) { body() } }

    @AfterEach
    fun close() = network.close()

    @Test
    fun aSuspendingVerbGivesTheCompletion() = test {
        val bed = bed()
        val done = bed.sender.perform(RdmaWrite.of(7, bed.from.slice(0, 64), bed.into.remote(0)))
        assertThat(done.workId()).isEqualTo(7)
        assertThat(done.status()).isEqualTo(Status.SUCCESS)
    }

    @Test
    fun anIndirectKeyIsMadeAndFilled() = test {
        val bed = bed()
        val pair = connectRc(bed.receiving, QpDescription.rc().withKeyFilling(1), bed.receiving, QpDescription.rc())
        val key = bed.receiving.makeIndirectKey(IndirectKeyDescription.of(2))
        val list = bed.receiving.makeKeyList(2)
        val layout = KeyLayout.list(bed.into.slice(0, 8), bed.into.slice(32, 8))
        val filled = pair.local().perform(FillKey.of(1, key, layout).through(list).withAccess(Access.REMOTE_WRITE))
        assertThat(filled.status()).isEqualTo(Status.SUCCESS)
        val written = bed.sender.perform(RdmaWrite.of(2, bed.from.slice(0, 16), key.remote(0)))
        assertThat(written.status()).isEqualTo(Status.SUCCESS)
        list.dispose()
        key.dispose()
    }

    @Test
    fun aRefusalIsThrownAsItIs() = test {
        val bed = bed()
        val thrown = runCatching { bed.context.makeCq(0) }.exceptionOrNull()
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
        left = bed.cq.take(1)
        assertThat(left).isEmpty()
    }

    /** A cancelled subscription releases the queue with a short delay. */
    private suspend fun takenWhenFree(cq: CompletionQueue): List<WorkCompletion> {
        while (true) {
            val result = runCatching { cq.take(100) }
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
            reading.cancel()
            reading.join()
        }
        val left = bed.cq.take(100).map(WorkCompletion::workId)
        assertThat(seen + left).containsExactly(0, 1, 2, 3, 4, 5)
    }

    @Test
    fun cancellingAWaitingCoroutineUnpostsNothing() = test {
        val bed = bed()
        kotlinx.coroutines.coroutineScope {
            val waiting = launch(start = CoroutineStart.UNDISPATCHED) {
                bed.sender.perform(Send.of(1, bed.from.slice(0, 64)))
            }
            waiting.cancel()
            bed.receiver.postReceive(Receive.of(9, bed.into.slice(0, 64)))
            assertThat(bed.cq.completionFlow().first().workId()).isEqualTo(9)
        }
    }

    @Test
    fun wakeUpsAndEventsAreFlows() = test {
        val bed = bed()
        val channel = bed.context.makeChannel()
        val cq = bed.context.makeCq(CqDescription.of(10).withChannel(channel))
        val other = connectRc(bed.receiving, QpDescription.rc().withSendCq(cq), bed.receiving, QpDescription.rc())
        val ready = CompletableDeferred<Unit>()
        kotlinx.coroutines.coroutineScope {
            val woken = async { ready.complete(Unit); channel.wakeupFlow().first() }
            val event = async { bed.context.asyncEventFlow().first() }
            ready.await()
            cq.arm(CompletionQueue.Arm.ANY)
            other.local().perform(RdmaWrite.of(1, emptyList(), bed.into.remote(0)))
            assertThat(woken.await()).isSameAs(cq)
            network.unplug(bob)
            assertThat(event.await()).isEqualTo(AsyncEvent(AsyncEvent.Kind.PORT_ERR, 1))
        }
    }

    @Test
    fun datagramsAndSharedReceives() = test {
        val pdA = alice.process("app").open().allocatePd()
        val pdB = bob.process("store").open().allocatePd()
        val srq = pdB.makeSrq()
        val cq = pdB.context().makeCq(16)
        val receiver = pdB.makeQp(QpDescription.ud().withRecvCq(cq).withSrq(srq))
        val sender = pdA.makeQp(QpDescription.ud())
        receiver.open(5)
        sender.open(5)
        val into = pdB.registerMemory(bob.process("store").allocate(4096), Access.LOCAL_WRITE)
        srq.postReceive(Receive.of(3, into.slice(0, 100)))
        val path = pdA.makeAddressHandle(AddressVector.to(bob.gid()))
        assertThat(sender.perform(UdAddress.of(path, receiver.number(), 5), Send.of(1)).isSuccess).isTrue()
        val received = cq.completionFlow().first()
        assertThat(received.workId()).isEqualTo(3)
        assertThat(received.datagramOrNull()?.sourceQp()).isEqualTo(sender.number())
        assertThat(received.immediateOrNull()).isNull()
        assertThat(receiver.srqOrNull()).isSameAs(srq)
        assertThat(sender.srqOrNull()).isNull()
    }

    @Test
    fun oneEndIsConnectedWhereThePeerIsElsewhere() = test {
        val here = alice.process("app").open().allocatePd().makeQp(QpDescription.rc())
        val there = bob.process("store").open().allocatePd().makeQp(QpDescription.rc())
        here.connectTo(there.gid(), there.number())
        there.connectTo(here.gid(), here.number())
        there.postReceive(Receive.of(1))
        assertThat(here.perform(Send.of(2).withImmediate(7)).isSuccess).isTrue()
    }

    @Test
    fun twoProcessesOfAHostAreReachedOverOneConnection() = test {
        val here = alice.process("app").open().allocatePd()
        val from = here.registerMemory(alice.process("app").allocate(4096), Access.LOCAL_WRITE)
        val file = XrcDomainDescription.of("/run/shared")
        val store = bob.process("store").open()
        val made = store.makeXrcDomain(file).makeTarget()
        val archive = bob.process("archive").open()
        val shared = archive.makeXrcDomain(file)
        assertThat(shared.fileOrNull()).isEqualTo("/run/shared")
        val opened = shared.joinTarget(made.number())
        val initiator = here.makeQp(QpDescription.xrc())
        opened.connectTo(initiator.gid(), initiator.number())
        initiator.connectTo(made.gid(), made.number())
        val cq = archive.makeCq(16)
        val pd = archive.allocatePd()
        val into = pd.registerMemory(bob.process("archive").allocate(4096), Access.LOCAL_WRITE)
        val srq = pd.makeXrcSrq(XrcSrqDescription.of(shared, cq))
        srq.postReceive(Receive.of(3, into.slice(0, 64)))
        val done = initiator.perform(srq.number(), Send.of(1, from.slice(0, 64)))
        assertThat(done.status()).isEqualTo(Status.SUCCESS)
        assertThat(cq.completionFlow().first().workId()).isEqualTo(3)
        made.change(QpModify.to(QpState.ERR))
        assertThat(opened.state()).isEqualTo(QpState.ERR)
    }

    @Test
    fun aTargetIsReachedByWhoeverKnowsItsNumberAndItsKey() = test {
        val context = bob.process("store").open()
        val pd = context.allocatePd()
        val into = pd.registerMemory(bob.process("store").allocate(4096), Access.LOCAL_WRITE, Access.REMOTE_WRITE)
        val cq = context.makeCq(16)
        val srq = pd.makeSrq()
        val requested = DcTargetDescription.of(cq, srq, 0xDC).withMaxResponders(8)
        assertThat(requested.maxRespondersOrNull()).isEqualTo(8)
        val target = pd.makeDcTarget(requested)
        target.openUp()
        srq.postReceive(Receive.of(3, into.slice(0, 64)))
        val here = alice.process("app").open().allocatePd()
        val from = here.registerMemory(alice.process("app").allocate(4096), Access.LOCAL_WRITE)
        val initiator = here.makeQp(QpDescription.dc())
        assertThat(QpDescription.dc().options().streamsOrNull()).isNull()
        initiator.openUp(RcConnection.DEFAULT.withRdAtomic(1))
        val path = here.makeAddressHandle(AddressVector.to(target.gid()))
        val to = DcAddress.of(path, target.number(), 0xDC)
        assertThat(initiator.perform(to, Send.of(1, from.slice(0, 64))).status()).isEqualTo(Status.SUCCESS)
        assertThat(cq.completionFlow().first().workId()).isEqualTo(3)
        assertThat(initiator.perform(to, 0, RdmaWrite.of(2, from.slice(0, 64), into.remote(64))).isSuccess).isTrue()
        val pool = here.makeDciPool(DciPoolDescription.DEFAULT.withInitiators(2))
        assertThat(pool.perform(to, RdmaWrite.of(4, from.slice(0, 64), into.remote(64))).isSuccess).isTrue()
        pool.finish()
        assertThat(pool.statistics().posted()).isEqualTo(1)
        target.watchKeyViolation()
        assertThat(target.askStatus().keyViolations()).isZero()
        val refused = runCatching { initiator.recoverStream(0) }.exceptionOrNull()
        assertThat((refused as VerbsException).errno()).isEqualTo(Errno.EINVAL)
        val stuck = runCatching { target.change(QpModify.to(QpState.ERR)) }.exceptionOrNull()
        assertThat((stuck as VerbsException).errno()).isEqualTo(Errno.EINVAL)
        target.dispose()
    }

    @Test
    fun memoryIsFreedOnceNoRegionCoversIt() = test {
        val bed = bed()
        val memory = bed.into.memory()
        val refused = runCatching { memory.dispose() }.exceptionOrNull()
        assertThat((refused as VerbsException).errno()).isEqualTo(Errno.EBUSY)
        bed.into.dispose()
        memory.dispose()
        assertThat(memory.isMapped).isFalse()
    }

    @Test
    fun aWindowIsBoundAndWrittenThrough() = test {
        val bed = bed()
        val region = bed.receiving.registerMemory(bed.into.memory(), Access.LOCAL_WRITE, Access.MW_BIND)
        val window = bed.receiving.makeWindow(WindowType.TYPE_2)
        val shown = WindowBinding.of(region).withAccess(Access.REMOTE_WRITE)
        assertThat(bed.receiver.bindWindow(1, window, shown).isSuccess).isTrue()
        val write = RdmaWrite.of(2, bed.from.slice(0, 64), window.remote(region.address()))
        assertThat(bed.sender.perform(write).isSuccess).isTrue()
        bed.receiver.postReceive(Receive.of(9))
        val last = Send.of(3).withInvalidate(window.rkey())
        assertThat(last.invalidatesOrNull()).isEqualTo(window.rkey())
        assertThat(bed.sender.perform(last).isSuccess).isTrue()
        val received = bed.cq.completionFlow().first { it.workId() == 9L }
        assertThat(received.invalidatedOrNull()).isEqualTo(window.rkey())
        window.dispose()
        val other = bed.receiving.makeWindow(WindowType.TYPE_1)
        assertThat(bed.receiver.bindWindow(4, other, shown).isSuccess).isTrue()
        other.dispose()
        region.dispose()
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
