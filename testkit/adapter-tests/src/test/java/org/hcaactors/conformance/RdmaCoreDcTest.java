// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.DcStreams;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.tests.setup.Layout;
import org.hcaactors.tests.setup.TwoEnds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks of rdma-core's tests on the dynamically connected transport, with its names as tags. As there, either end has an
 * initiator and a target, and requests are sent both ways.
 */
@Tag("judge")
@ParameterizedClass
@MethodSource("org.hcaactors.tests.setup.Layout#apart")
class RdmaCoreDcTest {
    private static final int COUNT = 1024;
    private static final int ROUNDS = 10;
    private static final long KEY = 1L << 63 | 0xDC;

    private final TwoEnds ends;
    private final Adapter a;
    private final Adapter b;

    RdmaCoreDcTest(Layout layout) {
        ends = layout.open(53, Profile.CONNECTX_6);
        a = ends.a();
        b = ends.b();
    }

    @AfterEach
    void close() {
        ends.close();
    }

    /** One of the two ends. */
    private final class End {
        final ProtectionDomain domain;
        final HostMemory memory;
        final MemoryRegion region;
        final CompletionQueue completions;
        final SharedReceiveQueue queue;
        final DcTarget target;
        final DcInitiator initiator;

        End(Adapter node, boolean onDemand, QpDescription<DcInitiator> asks) {
            var context = node.process("app").open();
            domain = context.allocatePd();
            memory = node.process("app").allocate(1 << 16);
            Registration plain = Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE);
            region = ends.await(domain.register(onDemand ? plain.withOnDemandPaging() : plain));
            completions = ends.await(context.createCq(256));
            queue = ends.await(domain.createSrq(SrqDescription.DEFAULT));
            target = ends.await(domain.createDcTarget(DcTargetDescription.of(completions, queue, DcAccessKey.of(KEY))));
            ends.await(target.open(ends.terms()));
            initiator = ends.await(domain.createQp(asks.withSendCq(completions).withCapacity(QpCapacity.of(64))));
            ends.await(initiator.open(ends.terms()));
        }

        DcAddress to(End other) {
            var path = ends.await(domain.createAddressHandle(AddressVector.to(other.target.gid())));
            return DcAddress.of(path, other.target.number(), DcAccessKey.of(KEY));
        }

        Status asks(End other, int stream, RcWork work) {
            return ends.await(initiator.submit(to(other), stream, work)).status();
        }

        void fill(int with) {
            byte[] bytes = new byte[COUNT];
            Arrays.fill(bytes, (byte) with);
            memory.write(0, bytes);
        }
    }

    private void sends(End from, End to, int with) {
        from.fill(with);
        to.queue.postReceive(Receive.of(2, to.region.slice(4096, COUNT)));
        assertThat(from.asks(to, 0, Send.of(1, from.region.slice(0, COUNT)))).isEqualTo(Status.SUCCESS);
        WorkCompletion came = ends.polled(to.completions, 1).getFirst();
        assertThat(came.status()).isEqualTo(Status.SUCCESS);
        assertThat(came.qpNumber()).isEqualTo(to.target.number());
        assertThat(to.memory.read(4096, COUNT)).isEqualTo(from.memory.read(0, COUNT));
    }

    private void writes(End from, End to, int stream, int with) {
        from.fill(with);
        RdmaWrite write = RdmaWrite.of(1, from.region.slice(0, COUNT), to.region.remote(8192));
        assertThat(from.asks(to, stream, write)).isEqualTo(Status.SUCCESS);
        assertThat(to.memory.read(8192, COUNT)).isEqualTo(from.memory.read(0, COUNT));
    }

    private void bothSend(boolean onDemand) {
        End one = new End(a, onDemand, QpDescription.dc());
        End other = new End(b, onDemand, QpDescription.dc());
        for (int round = 0; round < ROUNDS; round++) {
            sends(one, other, round);
            sends(other, one, round + 100);
        }
    }

    // rules dc-connect, dc-target-queues
    @Test
    @Tag("rdma-core:test_mlx5_dc.test_dc_send")
    @Tag("rdma-core:test_mlx5_dc.test_dc_ah_to_qp_mapping")
    void messagesAreSentInBothDirections() {
        bothSend(false);
    }

    // rule dc-responder
    @Test
    @Tag("rdma-core:test_mlx5_dc.test_odp_dc_traffic")
    void messagesAreSentInBothDirectionsFromOnDemandPages() {
        bothSend(true);
    }

    // rule dc-reuse
    @Test
    @Tag("rdma-core:test_mlx5_dc.test_dc_rdma_write")
    void writesAreSentInBothDirections() {
        End one = new End(a, false, QpDescription.dc());
        End other = new End(b, false, QpDescription.dc());
        for (int round = 0; round < ROUNDS; round++) {
            writes(one, other, 0, round);
            writes(other, one, 0, round + 100);
        }
    }

    // rules dc-streams, dc-streams-there
    @Test
    @Tag("rdma-core:test_mlx5_dc.test_dc_rdma_write_stream")
    void everyStreamCarriesTwoWrites() {
        QpDescription<DcInitiator> streams = QpDescription.dc().withStreams(new DcStreams(2, 2));
        End one = new End(a, false, streams);
        End other = new End(b, false, streams);
        for (int round = 0; round < 2 * ROUNDS; round++) {
            int stream = round / 2 % 5 + 1;
            writes(one, other, stream, round);
            writes(other, one, stream, round + 100);
        }
    }

    // rules dc-stream-error, dc-stream-reset
    @Test
    @Tag("rdma-core:test_mlx5_dc.test_dc_send_stream_bad_flow")
    void streamsResetAfterEveryErrorKeepTheInitiatorInRts() {
        End one = new End(a, false, QpDescription.dc().withStreams(new DcStreams(2, 1)));
        End other = new End(b, false, QpDescription.dc());
        for (int round = 0; round < ROUNDS; round++) {
            int stream = round % 3 + 1;
            assertThat(one.asks(other, stream, forbidden(one, other))).isEqualTo(Status.REM_ACCESS_ERR);
            assertThat(one.asks(other, stream, RdmaWrite.of(2, one.region.slice(0, 8), other.region.remote(0))))
                    .as("its stream is in error")
                    .isEqualTo(Status.WR_FLUSH_ERR);
            ends.await(one.initiator.resetStream(stream));
            assertThat(ends.await(one.initiator.query()).state()).isEqualTo(QpState.RTS);
            writes(one, other, stream, round);
        }
    }

    private static RdmaWrite forbidden(End from, End to) {
        return RdmaWrite.of(1, from.region.slice(0, 8), to.region.remote(1 << 16));
    }

    // rules dc-stream-error, dc-error
    @Test
    @Tag("rdma-core:test_mlx5_dc.test_dc_send_stream_bad_flow_qp")
    void tooManyFailedStreamsMoveTheInitiatorToErrUntilItsReset() {
        End one = new End(a, false, QpDescription.dc().withStreams(new DcStreams(3, 2)));
        End other = new End(b, false, QpDescription.dc());
        for (int stream = 1; stream <= 4; stream++) {
            assertThat(ends.await(one.initiator.query()).state()).isEqualTo(QpState.RTS);
            assertThat(one.asks(other, stream, forbidden(one, other))).isEqualTo(Status.REM_ACCESS_ERR);
        }
        assertThat(ends.await(one.initiator.query()).state()).isEqualTo(QpState.ERR);
        ends.await(one.initiator.modify(QpModify.to(QpState.RESET)));
        ends.await(one.initiator.open(ends.terms()));
        for (int stream = 1; stream <= 4; stream++) {
            writes(one, other, stream, stream);
        }
    }
}
