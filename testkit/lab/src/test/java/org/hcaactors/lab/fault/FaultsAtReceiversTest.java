// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.lab.fault.PacketMatch.packet;

import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.queue.QueuePairEndpoint;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.pair.Transport;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults identify a receiving endpoint, queue pair or target, by the program's handle. */
class FaultsAtReceiversTest {
    private final World world = World.of(5);
    private final Adapter b = world.adapter("b");

    @AfterEach
    void close() {
        world.close();
    }

    private Ends<?> ends(Transport transport) {
        return transport.between(world.network(), world.adapter("a"), b, Shape.DEFAULT);
    }

    private WorkCompletion write(Ends<?> ends) {
        return world.await(
                ends.a().submit(RdmaWrite.of(1, ends.a().slice(0, 64), ends.b().remote(0))));
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "XRC", "DC"})
    void aPacketToTheReceiverIsDroppedOnce(Transport transport) {
        Ends<?> ends = ends(transport);
        QueuePairEndpoint asked = ends.b().receiver();
        world.faults().on(packet().write().to(asked)).first().drop();
        assertThat(write(ends).isSuccess()).isTrue();
        assertThat(world.trace().of(FabricEvent.Dropped.class))
                .singleElement()
                .satisfies(lost -> assertThat(lost.reason().toString()).contains("to qp" + asked.number()));
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "XRC", "DC"})
    void aPacketFromTheReceiverIsDroppedOnce(Transport transport) {
        Ends<?> ends = ends(transport);
        QueuePairEndpoint asked = ends.b().receiver();
        world.faults().on(packet().ack().from(asked)).first().drop();
        assertThat(write(ends).isSuccess()).isTrue();
        assertThat(world.trace().of(FabricEvent.Dropped.class)).hasSize(1);
    }

    // rule event-crash
    @ParameterizedTest
    @EnumSource(names = {"RC", "XRC", "DC"})
    void aCrashedReceiverFailsTheRequest(Transport transport) {
        Ends<?> ends = ends(transport);
        world.faults().now().crash(b, ends.b().receiver());
        assertThat(write(ends).status()).isEqualTo(Status.RETRY_EXC_ERR);
    }
}
