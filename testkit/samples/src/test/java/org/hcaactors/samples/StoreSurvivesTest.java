// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hcaactors.lab.assertion.RdmaAssertions.assertThat;
import static org.hcaactors.lab.fault.PacketMatch.packet;

import java.time.Duration;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.junit.Named;
import org.hcaactors.lab.junit.RdmaTest;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.world.World;

// docs begin
class StoreSurvivesTest {
    @RdmaTest(seeds = 200)
    void aLostAcknowledgement(World world, @Named("a") Adapter a, @Named("b") Adapter b, ConnectedPair pair) {
        pair.a().memory().write(0, "to be stored".getBytes(UTF_8));
        world.faults().on(packet().ack().from(b)).first().drop();

        var done = pair.a()
                .qp()
                .submit(RdmaWrite.of(1, pair.a().slice(0, 12), pair.b().remote(0)));

        assertThat(world.await(done)).isSuccess(); // after 67 ms of virtual time, which cost nothing
        assertThat(world.trace()).retransmissions().hasSize(1);
        assertThat(world.trace()).hasNoDoubleDelivery();
        assertThat(pair.b().memory()).holds(0, "to be stored".getBytes(UTF_8));
    }
    // docs pause

    @RdmaTest(seeds = 50, swarm = Swarm.WIRE)
    void writesSucceedUnderEveryFaultOfTheWire(World world, ConnectedPair pair) {
        for (int i = 0; i < 20; i++) {
            var done = pair.a()
                    .qp()
                    .submit(RdmaWrite.of(i, pair.a().slice(0, 3000), pair.b().remote(i * 4096L)));
            assertThat(world.await(done)).isSuccess();
        }
    }

    @RdmaTest
    void aPeerThatIsGoneForGood(World world, @Named("b") Adapter b, ConnectedPair pair) {
        world.faults().now().unplug(b);
        var done = pair.a()
                .qp()
                .submit(RdmaWrite.of(1, pair.a().slice(0, 12), pair.b().remote(0)));
        assertThat(world.await(done, Duration.ofMinutes(1))).hasStatus(Status.RETRY_EXC_ERR);
    }
    // docs continue
}
// docs end
