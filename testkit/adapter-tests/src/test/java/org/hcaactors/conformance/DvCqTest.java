// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.ScatterToCqe;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.tests.setup.Layout;
import org.hcaactors.tests.setup.TwoEnds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks of rdma-core's test_mlx5_cq on the size of completions and on data in them. */
@Tag("judge")
@ParameterizedClass
@MethodSource("org.hcaactors.tests.setup.Layout#apart")
class DvCqTest {
    private final TwoEnds ends;
    private final Adapter a;
    private final Adapter b;

    DvCqTest(Layout layout) {
        ends = layout.open(29, Profile.CONNECTX_6);
        a = ends.a();
        b = ends.b();
    }

    @AfterEach
    void close() {
        ends.close();
    }

    private CompletionQueue queue(Map<String, String> environment, CqDescription requested) {
        return ends.await(a.process("app").open(environment).createCq(requested));
    }

    private static void refused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
    }

    // rule inline-entry-size
    @ParameterizedTest
    @ValueSource(ints = {64, 128})
    @Tag("rdma-core:test_mlx5_cq.test_dv_cq_cqe_size_64")
    @Tag("rdma-core:test_mlx5_cq.test_dv_cq_cqe_size_128")
    @Tag("rdma-core:test_mlx5_cq.test_dv_cq_cqe_size_environment_var")
    void theDescriptionOrTheEnvironmentSetsTheEntrySize(int bytes) {
        CqDescription plain = CqDescription.of(10);
        assertThat(queue(Map.of(), plain.withEntryBytes(bytes)).entryBytes()).isEqualTo(bytes);
        assertThat(queue(Map.of("MLX5_CQE_SIZE", Integer.toString(bytes)), plain)
                        .entryBytes())
                .isEqualTo(bytes);
    }

    // rule inline-entry-size
    @Test
    @Tag("rdma-core:test_mlx5_cq.test_dv_cq_cqe_size_with_bad_size")
    void anotherSizeIsRefused() {
        refused(() -> queue(Map.of(), CqDescription.of(10).withEntryBytes(100)));
        refused(() -> queue(Map.of("MLX5_CQE_SIZE", "100"), CqDescription.of(10)));
    }

    // rule inline-flags
    @ParameterizedTest
    @CsvSource({"0, false", "0, true", "1, false", "1, true"})
    @Tag("rdma-core:test_mlx5_cq.test_scatter_to_cqe_control_by_qp")
    void aQueuePairsFlagPrecedesTheEnvironment(String variable, boolean allowed) {
        Map<String, String> environment = Map.of("MLX5_SCATTER_TO_CQE", variable);
        Side from = side(a, environment);
        Side into = side(b, environment);
        QpPair<RcQueuePair> pair = ends.await(
                QpPair.connectRc(from.domain(), flagged(allowed), into.domain(), flagged(allowed), ends.terms()));
        RcQueuePair receiver = pair.remote();
        assertThat(receiver.capacity().maxInlineReceiveBytes()).isEqualTo(allowed ? 32 : 0);
        from.memory().write(0, new byte[] {1, 2, 3});
        receiver.postReceive(Receive.of(1, into.slice(0, 64)));
        assertThat(ends.await(pair.local().submit(Send.of(1, from.slice(0, 3)))).status())
                .isEqualTo(Status.SUCCESS);
        assertThat(into.memory().read(0, 1)[0]).as("before it is polled").isEqualTo((byte) (allowed ? 0 : 1));
        assertThat(ends.polled(receiver.recvCq(), 1).getFirst().status()).isEqualTo(Status.SUCCESS);
        assertThat(into.memory().read(0, 3)).containsExactly(1, 2, 3);
    }

    private Side side(Adapter adapter, Map<String, String> environment) {
        DeviceContext context = adapter.process("app").open(environment);
        return Side.within(ends.network(), context.allocatePd(), 4096);
    }

    private static QpDescription<RcQueuePair> flagged(boolean allowed) {
        return QpDescription.rc().withScatterToCqe(allowed ? ScatterToCqe.ALLOWED : ScatterToCqe.DISABLED);
    }
}
