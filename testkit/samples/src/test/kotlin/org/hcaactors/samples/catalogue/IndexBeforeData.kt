// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue

import java.util.concurrent.CompletionStage
import org.assertj.core.api.Assertions.assertThat
import org.hcaactors.api.address.AddressVector
import org.hcaactors.api.address.DcAccessKey
import org.hcaactors.api.address.DcAddress
import org.hcaactors.api.completion.WorkCompletion
import org.hcaactors.client.pool.DciPool
import org.hcaactors.client.pool.DciPoolDescription
import org.hcaactors.api.queue.DcTargetDescription
import org.hcaactors.api.queue.RcConnection
import org.hcaactors.api.work.RdmaWrite
import org.hcaactors.lab.pair.Side
import org.hcaactors.lab.world.World

/**
 * A store WRITEs a page to one node and its index entry to another, through a pool of DC initiators, and waits only for the
 * entry, which was posted last. A reader of the entry finds no page. There is no order between two targets. Correct: wait for
 * both completions.
 */
internal object IndexBeforeData {
    private const val PAGE = 64 shl 10
    private val ACCESS_KEY = DcAccessKey.of(0xCAFE)

    /** What is awaited before the entry is shown. */
    private fun interface Stored {
        fun by(page: CompletionStage<WorkCompletion>, entry: CompletionStage<WorkCompletion>): CompletionStage<*>
    }

    private val wrong = Stored { _, entry -> entry }

    private val right = Stored { page, entry -> page.thenCombine(entry) { _, second -> second } }

    fun entry(): Entry =
        Entry.of(
            IndexBeforeData::class.java,
            "of two requests to two peers only the last one's completion is awaited",
            { world -> run(world, wrong) },
            { world -> run(world, right) },
        )

    private fun run(world: World, stored: Stored) {
        val own = Side.of(world.network(), world.adapter("store"), "app", PAGE.toLong())
        val data = Side.of(world.network(), world.adapter("data"), "app", PAGE.toLong())
        val index = Side.of(world.network(), world.adapter("index"), "app", 4096)
        val pool = world.await(DciPool.create(own.domain(), DciPoolDescription.DEFAULT.withInitiators(2)))
        val toData = address(world, own, data)
        val toIndex = address(world, own, index)
        own.memory().writeLong(PAGE - 8L, 42)

        val page = pool.submit(toData, RdmaWrite.of(1, own.slice(0, PAGE), data.remote(0)))
        val entry = pool.submit(toIndex, RdmaWrite.of(2, own.slice(PAGE - 8L, 8), index.remote(0)))
        world.await(stored.by(page, entry))
        assertThat(data.memory().readLong(PAGE - 8L)).`as`("the end of the page").isEqualTo(42)
    }

    /** Creates a target, and returns its address. */
    private fun address(world: World, from: Side, to: Side): DcAddress {
        val receives = world.await(to.domain().createSrq(1))
        val cq = world.await(to.context().createCq(1))
        val target = world.await(to.domain().createDcTarget(DcTargetDescription.of(cq, receives, ACCESS_KEY)))
        world.await(target.open(RcConnection.DEFAULT))
        val path = world.await(from.domain().createAddressHandle(AddressVector.to(target.gid())))
        return DcAddress.of(path, target.number(), ACCESS_KEY)
    }
}
