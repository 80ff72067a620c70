// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.DcStreams;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.junit.RdmaTest;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Tag;

class DcStreamsTest {
    private static final DcStreams TWO_CHANNELS = new DcStreams(1, 2);

    private static DcGround.Asker asker(DcGround ground) {
        return ground.asker(
                ground.world.adapter("a", Profile.CONNECTX_6),
                QpDescription.dc().streams(TWO_CHANNELS),
                RcConnection.DEFAULT);
    }

    private static Status write(DcGround.Asker asker, DcAddress to, int stream, RemoteAddress where) {
        return asker.await(asker.initiator.submit(to, stream, RdmaWrite.of(stream, asker.slice(0, 64), where)))
                .status();
    }

    // rule dc-streams
    @RdmaTest
    @Tag("rdma-core:test_mlx5_dc.test_dc_rdma_write_stream")
    void requestsOfMoreStreamsThanThereAreChannelsAllArrive(World world) {
        DcGround ground = new DcGround(world);
        DcGround.Asker asker = asker(ground);
        DcGround.Asked asked = ground.asked(world.adapter("b", Profile.CONNECTX_6));
        for (int stream : new int[] {1, 1, 2, 3, 65_535}) {
            assertThat(write(asker, asker.to(asked), stream, asked.remote(0))).isEqualTo(Status.SUCCESS);
        }
    }

    @RdmaTest
    void anInitiatorTellsTheStreamsThatItWasMadeWith(World world) {
        DcGround ground = new DcGround(world);
        assertThat(asker(ground).initiator.streams()).contains(TWO_CHANNELS);
        assertThat(ground.asker(world.adapter("b", Profile.CONNECTX_6)).initiator.streams())
                .isEmpty();
    }

    // rule dc-stream-error
    @RdmaTest
    @Tag("rdma-core:test_mlx5_dc.test_dc_stream_qp_recovery")
    void withTooManyStreamsInErrorTheInitiatorIsAndComesBack(World world) {
        DcGround ground = new DcGround(world);
        DcGround.Asker asker = asker(ground);
        DcGround.Asked asked = ground.asked(world.adapter("b", Profile.CONNECTX_6));
        DcAddress to = asker.to(asked);
        RemoteAddress nowhere = new RemoteAddress(0x7777, asked.remote(0).address());
        for (int stream = 1; stream <= TWO_CHANNELS.errored(); stream++) {
            assertThat(asker.initiator.state()).isEqualTo(QpState.RTS);
            assertThat(write(asker, to, stream, nowhere)).isEqualTo(Status.REM_ACCESS_ERR);
            assertThat(write(asker, to, stream, asked.remote(0))).isEqualTo(Status.WR_FLUSH_ERR);
        }
        assertThat(asker.initiator.state()).isEqualTo(QpState.ERR);
        world.await(asker.initiator.modify(QpModify.to(QpState.RESET)));
        world.await(asker.initiator.open(RcConnection.DEFAULT));
        assertThat(write(asker, to, 1, asked.remote(0))).isEqualTo(Status.SUCCESS);
    }

    // rule dc-stream-reset
    @RdmaTest
    @Tag("rdma-core:test_mlx5_dc.test_dc_stream_ids_recovery")
    void aStreamThatIsResetGoesOnAndTheOthersNeverStop(World world) {
        DcGround ground = new DcGround(world);
        DcGround.Asker asker = asker(ground);
        DcGround.Asked asked = ground.asked(world.adapter("b", Profile.CONNECTX_6));
        DcAddress to = asker.to(asked);
        RemoteAddress nowhere = new RemoteAddress(0x7777, asked.remote(0).address());
        for (int stream = 1; stream <= 2 * TWO_CHANNELS.errored(); stream++) {
            assertThat(write(asker, to, stream, nowhere)).isEqualTo(Status.REM_ACCESS_ERR);
            assertThat(write(asker, to, stream + 2, asked.remote(0))).isEqualTo(Status.SUCCESS);
            world.await(asker.initiator.resetStream(stream));
            assertThat(write(asker, to, stream, asked.remote(0))).isEqualTo(Status.SUCCESS);
        }
        assertThat(asker.initiator.state()).isEqualTo(QpState.RTS);
    }
}
