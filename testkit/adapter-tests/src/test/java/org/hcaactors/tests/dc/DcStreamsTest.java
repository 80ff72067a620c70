// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.dc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.lab.fault.PacketMatch.packet;

import java.time.Duration;
import java.util.List;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.PostRefusedException;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.DcRequest;
import org.hcaactors.api.queue.DcStreams;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.junit.RdmaTest;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Tag;

class DcStreamsTest {
    private static final DcStreams TWO_CHANNELS = new DcStreams(1, 2);

    private static DcSetup.InitiatorSide initiator(DcSetup ground) {
        return ground.initiator(
                ground.world.adapter("a", Profile.CONNECTX_6),
                QpDescription.dc().withStreams(TWO_CHANNELS),
                RcConnection.DEFAULT);
    }

    private static Status write(DcSetup.InitiatorSide initiator, DcAddress to, int stream, RemoteAddress where) {
        return initiator
                .await(initiator.initiator.submit(to, stream, RdmaWrite.of(stream, initiator.slice(0, 64), where)))
                .status();
    }

    // rule dc-streams
    @RdmaTest(watch = Watch.PROTOCOL)
    @Tag("rdma-core:test_mlx5_dc.test_dc_rdma_write_stream")
    void requestsOfMoreStreamsThanChannelsAllArrive(World world) {
        DcSetup ground = new DcSetup(world);
        DcSetup.InitiatorSide initiator = initiator(ground);
        DcSetup.TargetSide asked = ground.asked(world.adapter("b", Profile.CONNECTX_6));
        for (int stream : new int[] {1, 1, 2, 3, 65_535}) {
            assertThat(write(initiator, initiator.to(asked), stream, asked.remote(0)))
                    .isEqualTo(Status.SUCCESS);
        }
    }

    // rule post-list
    @RdmaTest(watch = Watch.PROTOCOL)
    void requestsOfAListGoToTheirTargetsOnTheirStreams(World world) {
        DcSetup ground = new DcSetup(world);
        DcSetup.InitiatorSide initiator = initiator(ground);
        DcSetup.TargetSide one = ground.asked(world.adapter("b", Profile.CONNECTX_6));
        DcSetup.TargetSide other = ground.asked(world.adapter("c", Profile.CONNECTX_6));
        initiator.memory.write(0, new byte[] {5, 6, 7});
        RdmaWrite toOne = RdmaWrite.of(1, initiator.slice(0, 3), one.remote(8)).withSignaled();
        RdmaWrite toOther =
                RdmaWrite.of(2, initiator.slice(0, 3), other.remote(8)).withSignaled();
        initiator.initiator.post(
                List.of(DcRequest.of(initiator.to(one), toOne), new DcRequest(initiator.to(other), 3, toOther)));
        assertThatThrownBy(() -> initiator.initiator.post(List.of(
                        DcRequest.of(initiator.to(one), toOne), new DcRequest(initiator.to(other), 1 << 16, toOther))))
                .isInstanceOfSatisfying(
                        PostRefusedException.class,
                        refused -> assertThat(refused.index()).isEqualTo(1));
        assertThatThrownBy(() -> initiator.initiator.postWhole(List.of(
                        DcRequest.of(initiator.to(one), toOne), new DcRequest(initiator.to(other), 1 << 16, toOther))))
                .isInstanceOf(VerbsException.class);
        world.runToQuiet(Duration.ofMillis(1));
        assertThat(world.await(initiator.completions.poll(8)))
                .extracting(WorkCompletion::workId)
                .containsExactlyInAnyOrder(1L, 2L, 1L);
        assertThat(one.memory.read(8, 3)).containsExactly(5, 6, 7);
        assertThat(other.memory.read(8, 3)).containsExactly(5, 6, 7);
    }

    @RdmaTest(watch = Watch.PROTOCOL)
    void anInitiatorReportsItsStreams(World world) {
        DcSetup ground = new DcSetup(world);
        assertThat(initiator(ground).initiator.streams()).contains(TWO_CHANNELS);
        assertThat(ground.initiator(world.adapter("b", Profile.CONNECTX_6))
                        .initiator
                        .streams())
                .isEmpty();
    }

    // rule dc-stream-error
    @RdmaTest(watch = Watch.PROTOCOL)
    @Tag("rdma-core:test_mlx5_dc.test_dc_stream_qp_recovery")
    void tooManyFailedStreamsMoveTheInitiatorToErrUntilReset(World world) {
        DcSetup ground = new DcSetup(world);
        DcSetup.InitiatorSide initiator = initiator(ground);
        DcSetup.TargetSide asked = ground.asked(world.adapter("b", Profile.CONNECTX_6));
        DcAddress to = initiator.to(asked);
        RemoteAddress nowhere = new RemoteAddress(0x7777, asked.remote(0).address());
        for (int stream = 1; stream <= TWO_CHANNELS.errored(); stream++) {
            assertThat(initiator.initiator.state()).isEqualTo(QpState.RTS);
            assertThat(write(initiator, to, stream, nowhere)).isEqualTo(Status.REM_ACCESS_ERR);
            assertThat(write(initiator, to, stream, asked.remote(0))).isEqualTo(Status.WR_FLUSH_ERR);
        }
        assertThat(initiator.initiator.state()).isEqualTo(QpState.ERR);
        world.await(initiator.initiator.modify(QpModify.to(QpState.RESET)));
        world.await(initiator.initiator.open(RcConnection.DEFAULT));
        assertThat(write(initiator, to, 1, asked.remote(0))).isEqualTo(Status.SUCCESS);
    }

    // rule dc-stream-reset
    @RdmaTest(watch = Watch.PROTOCOL)
    @Tag("rdma-core:test_mlx5_dc.test_dc_stream_ids_recovery")
    void aResetStreamContinuesAndTheOthersNeverStop(World world) {
        DcSetup ground = new DcSetup(world);
        DcSetup.InitiatorSide initiator = initiator(ground);
        DcSetup.TargetSide asked = ground.asked(world.adapter("b", Profile.CONNECTX_6));
        DcAddress to = initiator.to(asked);
        RemoteAddress nowhere = new RemoteAddress(0x7777, asked.remote(0).address());
        for (int stream = 1; stream <= 2 * TWO_CHANNELS.errored(); stream++) {
            assertThat(write(initiator, to, stream, nowhere)).isEqualTo(Status.REM_ACCESS_ERR);
            assertThat(write(initiator, to, stream + 2, asked.remote(0))).isEqualTo(Status.SUCCESS);
            world.await(initiator.initiator.resetStream(stream));
            assertThat(write(initiator, to, stream, asked.remote(0))).isEqualTo(Status.SUCCESS);
        }
        assertThat(initiator.initiator.state()).isEqualTo(QpState.RTS);
    }

    // rules post-slot, dc-streams
    @RdmaTest(watch = Watch.PROTOCOL)
    void aCompletionOfOneStreamFreesTheSlotsOfUnsignaledRequestsOfAll(World world) {
        DcSetup ground = new DcSetup(world);
        DcSetup.InitiatorSide initiator = initiator(ground);
        DcSetup.TargetSide asked = ground.asked(world.adapter("b", Profile.CONNECTX_6));
        DcAddress to = initiator.to(asked);
        for (int i = 0; i < 500; i++) {
            RdmaWrite write = RdmaWrite.of(i, initiator.slice(0, 8), asked.remote(0));
            if (i % 8 == 7) {
                assertThat(initiator
                                .await(initiator.initiator.submit(to, i % 8, write))
                                .status())
                        .isEqualTo(Status.SUCCESS);
            } else {
                initiator.initiator.post(to, i % 8, write);
            }
        }
    }

    // rules rc-go-back-once, rc-retry-count, dc-streams
    @RdmaTest(watch = Watch.PROTOCOL)
    void concurrentlyFailingStreamsRetryIndependently(World world) {
        DcSetup ground = new DcSetup(world);
        DcSetup.InitiatorSide initiator = initiator(ground);
        DcSetup.TargetSide asked = ground.asked(world.adapter("b", Profile.CONNECTX_6));
        DcAddress to = initiator.to(asked);
        write(initiator, to, 0, asked.remote(0));
        write(initiator, to, 1, asked.remote(0));
        world.faults().on(packet().from(initiator.node)).first(2).drop();
        var one = initiator.initiator.submit(to, 0, RdmaWrite.of(1, initiator.slice(0, 4096), asked.remote(0)));
        var other = initiator.initiator.submit(to, 1, RdmaWrite.of(2, initiator.slice(0, 4096), asked.remote(0)));
        assertThat(world.await(one).status()).isEqualTo(Status.SUCCESS);
        assertThat(world.await(other).status()).isEqualTo(Status.SUCCESS);
    }

    // rule dc-stream-reset
    @RdmaTest(watch = Watch.PROTOCOL)
    void anInvalidStreamIsNotReset(World world) {
        DcSetup.InitiatorSide initiator = initiator(new DcSetup(world));
        for (int stream : new int[] {-1, 65_536}) {
            assertThatThrownBy(() -> world.await(initiator.initiator.resetStream(stream)))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("stream number is " + stream + "; 0 to 65535 is allowed");
        }
    }
}
