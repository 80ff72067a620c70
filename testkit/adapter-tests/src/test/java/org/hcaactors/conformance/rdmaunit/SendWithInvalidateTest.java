// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.api.memory.WindowType.TYPE_1;
import static org.hcaactors.api.memory.WindowType.TYPE_2;
import static org.hcaactors.conformance.rdmaunit.Ground.ended;
import static org.hcaactors.conformance.rdmaunit.Ground.refused;
import static org.hcaactors.conformance.rdmaunit.Ground.succeeded;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** SEND with invalidate: rc_test.cc. */
@Tag("judge")
class SendWithInvalidateTest {
    /** Keys in a message that are not of a window of its queue pair. */
    private enum Wrong {
        NO_KEY,
        TYPE_1_WINDOW,
        ANOTHERS_WINDOW,
        FREE_WINDOW,
        STALE_KEY,
        REGION
    }

    private static int key(Windows windows, Wrong wrong) {
        return switch (wrong) {
            case NO_KEY -> 0xDEAD_BEEF;
            case TYPE_1_WINDOW -> windows.bound(TYPE_1).rkey();
            case ANOTHERS_WINDOW -> {
                MemoryWindow window = windows.allocate(TYPE_2);
                windows.bind(windows.pair().remote(), window, windows.whole());
                yield window.rkey();
            }
            case FREE_WINDOW -> windows.allocate(TYPE_2).rkey();
            case STALE_KEY -> MemoryWindow.nextKey(windows.bound(TYPE_2).rkey());
            case REGION -> windows.region.rkey();
        };
    }

    // rule window-remote-invalidate
    @ParameterizedTest
    @ValueSource(ints = {0, 64, 4096})
    @Tag("rdma-unit-test:LoopbackRcQpTest.SendWithInvalidate")
    @Tag("rdma-core:test_mr.MWTest.test_mw_type2_invalidate_remote")
    @Tag("rdma-unit-test:LoopbackRcQpTest.SendWithInvalidateEmptySgl")
    void theReceiveNamesTheInvalidatedKeyWhichIsUnusable(int lengthBytes) {
        try (Windows windows = new Windows()) {
            MemoryWindow window = windows.bound(TYPE_2);
            LocalSlice[] none = {};
            LocalSlice[] one = {windows.ours(lengthBytes)};
            LocalSlice[] data = lengthBytes == 0 ? none : one;
            windows.remote.postReceive(Receive.of(0, data));
            windows.local.post(Send.of(1, data).withInvalidate(window.rkey()).withSignaled());
            succeeded(windows.ground.only(windows.localCq), 1, CompletionKind.SEND, windows.local);
            WorkCompletion received = windows.ground.only(windows.remoteCq);
            succeeded(received, 0, CompletionKind.RECV, windows.remote);
            assertThat(received.invalidated()).hasValue(window.rkey());
            assertThat(windows.status(Verb.READ, windows.first(window))).isEqualTo(Status.REM_ACCESS_ERR);
        }
    }

    @Test
    @Tag("rdma-unit-test:LoopbackRcQpTest.SendWithInvalidateNoBuffer")
    void withoutAReceiveASendGetsRnrNaksAndTheWindowStaysBound() {
        try (Windows windows = new Windows()) {
            MemoryWindow window = windows.bound(TYPE_2);
            windows.local.post(
                    Send.of(1, windows.ours(64)).withInvalidate(window.rkey()).withSignaled());
            ended(windows.ground.only(windows.localCq), 1, Status.RNR_RETRY_EXC_ERR, windows.local);
            refused(Errno.EBUSY, () -> windows.ground.await(windows.region.deregister()));
        }
    }

    static Stream<Arguments> wrongKeys() {
        return Stream.of(true, false)
                .flatMap(silent -> Stream.of(Wrong.values()).map(wrong -> arguments(wrong, silent)));
    }

    // rule window-invalidate-fails
    @ParameterizedTest
    @MethodSource("wrongKeys")
    @Tag("rdma-unit-test:LoopbackRcQpTest.SendWithInvalidateBadRkey")
    @Tag("rdma-unit-test:LoopbackRcQpTest.SendWithInvalidateType1Rkey")
    @Tag("rdma-unit-test:LoopbackRcQpTest.SendWithInvalidateWrongQp")
    void aFailedInvalidationFailsBothEndsByProfile(Wrong wrong, boolean silent) {
        Profile profile =
                silent ? Profile.CONNECTX_5 : Profile.CONNECTX_5.without(Quirk.SILENT_WHEN_INVALIDATION_FAILS);
        try (Windows windows = new Windows(profile)) {
            int key = key(windows, wrong);
            windows.remote.postReceive(Receive.of(0, windows.ours(64)));
            windows.local.post(Send.of(1, windows.ours(64)).withInvalidate(key).withSignaled());
            List<WorkCompletion> sent = windows.ground.all(windows.localCq);
            List<WorkCompletion> received = windows.ground.all(windows.remoteCq);
            ended(received.getLast(), 0, silent ? Status.REM_INV_REQ_ERR : Status.LOC_ACCESS_ERR, windows.remote);
            ended(sent.getLast(), 1, silent ? Status.RETRY_EXC_ERR : Status.REM_ACCESS_ERR, windows.local);
            assertThat(windows.ground.state(windows.remote)).isEqualTo(QpState.ERR);
        }
    }

    // rule window-remote-invalidate
    @Test
    void onlyReliableConnectionsCarryIt() {
        try (Windows windows = new Windows()) {
            QpPair<UcQueuePair> pair = windows.ground.await(QpPair.connectUc(
                    windows.domain, QpDescription.uc().withSendCq(windows.localCq),
                    windows.domain, QpDescription.uc().withSendCq(windows.remoteCq)));
            refused(
                    Errno.EINVAL,
                    () -> pair.local().post(Send.of(1, windows.ours(8)).withInvalidate(0x300)));
        }
    }
}
