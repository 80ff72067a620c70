// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples

import java.time.Duration
import org.hcaactors.api.completion.Status
import org.hcaactors.api.device.Adapter
import org.hcaactors.api.work.RdmaWrite
import org.hcaactors.api.work.Receive
import org.hcaactors.api.work.Send
import org.hcaactors.lab.assertion.RdmaAssertions.assertThat
import org.hcaactors.lab.fault.PacketMatch.packet
import org.hcaactors.lab.fault.Swarm
import org.hcaactors.lab.junit.Named
import org.hcaactors.lab.junit.RdmaTest
import org.hcaactors.lab.pair.ConnectedPair
import org.hcaactors.lab.world.World

class StoreSurvivesInKotlinTest {
    // docs begin
    @RdmaTest(seeds = 100, swarm = Swarm.WIRE) // each seed draws its own faults, too
    fun `a receiver that is late`(world: World, @Named("b") b: Adapter, pair: ConnectedPair) {
        pair.b().qp().postReceive(Receive.of(7, pair.b().slice(0, 64)))
        world.faults().now().answerRnr(b, pair.b().qp(), 2) // "not ready", twice

        val done = world.await(pair.a().qp().submit(Send.of(1, pair.a().slice(0, 64))))

        assertThat(done).isSuccess()
        assertThat(world.trace()).packets(packet().rnrNak().from(b)).hasSizeGreaterThanOrEqualTo(2)
    }
    // docs end

    @RdmaTest
    fun `a peer that has lost power`(world: World, @Named("b") b: Adapter, pair: ConnectedPair) {
        world.faults().now().powerCycle(b, Duration.ofMillis(1))
        val done = pair.a().qp().submit(RdmaWrite.of(1, pair.a().slice(0, 8), pair.b().remote(0)))
        assertThat(world.await(done, Duration.ofMinutes(1))).hasStatus(Status.RETRY_EXC_ERR)
    }
}
