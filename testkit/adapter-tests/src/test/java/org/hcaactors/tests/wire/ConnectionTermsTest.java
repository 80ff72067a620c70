// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.UcConnection;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connection attributes of two ends are mirrored at each end. */
class ConnectionTermsTest {
    private static final int FORTH = 0xFF_FFFF;
    private static final int BACK = 0x12_3456;

    private final World world = World.of(2);
    private final ProtectionDomain a = world.adapter("a").process("app").open().allocatePd();
    private final ProtectionDomain b = world.adapter("b").process("app").open().allocatePd();

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void eachDirectionOfAReliableConnectionHasItsOwnFirstPsn() {
        QpPair<RcQueuePair> pair = world.await(
                QpPair.connectRc(a, b, RcConnection.DEFAULT.withSendPsn(FORTH).withReceivePsn(BACK)));
        talk(pair.local(), pair.remote(), pair.local()::submit, pair.remote()::submit);
    }

    @Test
    void eachDirectionOfAnUnreliableConnectionHasItsOwnFirstPsn() {
        QpPair<UcQueuePair> pair = world.await(
                QpPair.connectUc(a, b, UcConnection.DEFAULT.withSendPsn(FORTH).withReceivePsn(BACK)));
        talk(pair.local(), pair.remote(), pair.local()::submit, pair.remote()::submit);
    }

    @Test
    void oneDescriptionCreatesQueuePairsInSeveralDomains() {
        QpDescription<UdQueuePair> requested = QpDescription.ud().withCapacity(QpCapacity.of(4));
        assertThat(world.await(a.createQp(requested)).capacity().maxRecvWr()).isEqualTo(4);
        assertThat(world.await(b.createQp(requested)).capacity().maxRecvWr()).isEqualTo(4);
    }

    @Test
    void aConnectionThatFailsLeavesNothingOpen() {
        fails(QpPair.connectRc(a, b, RcConnection.DEFAULT.withRdAtomic(17)));
        fails(QpPair.connectRc(
                a, QpDescription.rc(),
                b,
                        QpDescription.rc()
                                .withCapacity(QpCapacity.DEFAULT
                                        .withMaxSendWr(1 << 30)
                                        .withMaxRecvWr(1)
                                        .withMaxSge(1)
                                        .withMaxInlineBytes(0))));
        a.close();
        b.close();
    }

    @Test
    void anAttributeOutOfEveryRangeIsRefusedByItsSetter() {
        RcConnection rc = RcConnection.DEFAULT;
        refusedAtOnce(
                () -> rc.withRdAtomic(-1), "the number of outstanding READs and atomics is -1; 0 to 255 is allowed");
        refusedAtOnce(
                () -> rc.withRdAtomic(256), "the number of outstanding READs and atomics is 256; 0 to 255 is allowed");
        refusedAtOnce(() -> rc.withTimeoutCode(32), "the timeout code is 32; 0 to 31 is allowed");
        refusedAtOnce(() -> rc.withTimeoutCode(-1), "the timeout code is -1; 0 to 31 is allowed");
        refusedAtOnce(() -> rc.withRetryCount(8), "the retry count is 8; 0 to 7 is allowed");
        refusedAtOnce(() -> rc.withRnrRetry(8), "the RNR retry count is 8; 0 to 7 is allowed");
        refusedAtOnce(() -> rc.withMinRnrTimerCode(32), "the RNR timer code is 32; 0 to 31 is allowed");
        refusedAtOnce(() -> rc.withSendPsn(1 << 24), "the first PSN sent is 0x1000000; 0 to 0xffffff is allowed");
        refusedAtOnce(() -> rc.withFirstPsn(-1), "the first PSN sent is 0xffffffff; 0 to 0xffffff is allowed");
        refusedAtOnce(
                () -> rc.withReceivePsn(1 << 24), "the first PSN expected is 0x1000000; 0 to 0xffffff is allowed");
        UcConnection uc = UcConnection.DEFAULT;
        refusedAtOnce(() -> uc.withSendPsn(1 << 24), "the first PSN sent is 0x1000000; 0 to 0xffffff is allowed");
        refusedAtOnce(
                () -> uc.withReceivePsn(1 << 24), "the first PSN expected is 0x1000000; 0 to 0xffffff is allowed");
    }

    private static void refusedAtOnce(ThrowingCallable term, String message) {
        assertThatThrownBy(term)
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        reason -> assertThat(reason.errno()).isEqualTo(Errno.EINVAL))
                .hasMessage("EINVAL: " + message);
    }

    @Test
    void aRefusedAttributeReturnsTheRcQueuePairToReset() {
        RcQueuePair local = world.await(a.createQp(QpDescription.rc()));
        RcQueuePair remote = world.await(b.createQp(QpDescription.rc()));
        refused(local.connect(remote.gid(), remote.number(), RcConnection.DEFAULT.withRdAtomic(17)));
        assertThat(world.await(local.query()).state()).isEqualTo(QpState.RESET);
        refused(local.connect(remote.gid(), 1 << 24, RcConnection.DEFAULT));
        assertThat(world.await(local.query()).state()).isEqualTo(QpState.RESET);
        world.await(local.connect(remote.gid(), remote.number(), RcConnection.DEFAULT));
        assertThat(local.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void aRefusedAttributeReturnsTheUcQueuePairToReset() {
        UcQueuePair local = world.await(a.createQp(QpDescription.uc()));
        UcQueuePair remote = world.await(b.createQp(QpDescription.uc()));
        refused(local.connect(remote.gid(), 1 << 24, UcConnection.DEFAULT));
        assertThat(world.await(local.query()).state()).isEqualTo(QpState.RESET);
        world.await(local.connect(remote.gid(), remote.number(), UcConnection.DEFAULT));
        assertThat(local.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void connectingAConnectedQueuePairChangesNothing() {
        QpPair<RcQueuePair> rc = world.await(QpPair.connectRc(a, b));
        refused(rc.local().connect(rc.remote().gid(), rc.remote().number(), RcConnection.DEFAULT));
        assertThat(world.await(rc.local().query()).state()).isEqualTo(QpState.RTS);
        UdQueuePair ud = world.await(a.createQp(QpDescription.ud()));
        world.await(ud.activate(QKey.of(1)));
        refused(ud.activate(QKey.of(1)));
        assertThat(world.await(ud.query()).state()).isEqualTo(QpState.RTS);
    }

    private void refused(CompletionStage<Void> connecting) {
        assertThatThrownBy(() -> world.await(connecting))
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EINVAL));
    }

    private void fails(CompletionStage<?> connection) {
        assertThatThrownBy(() -> world.await(connection)).isInstanceOf(VerbsException.class);
        world.settle();
        assertThat(world.network().leaks().leaks())
                .hasSize(2)
                .allSatisfy(left -> assertThat(left.toString()).contains("protection domain"));
    }

    private void talk(
            QueuePair local,
            QueuePair remote,
            Function<Send, CompletionStage<WorkCompletion>> forth,
            Function<Send, CompletionStage<WorkCompletion>> back) {
        local.postReceive(Receive.of(1));
        remote.postReceive(Receive.of(2));
        assertThat(world.await(forth.apply(Send.of(3))).status()).isEqualTo(Status.SUCCESS);
        assertThat(world.await(back.apply(Send.of(4))).status()).isEqualTo(Status.SUCCESS);
        world.runToQuiet(Duration.ofSeconds(1));
        assertThat(sends("a")).containsExactly(FORTH);
        assertThat(sends("b")).containsExactly(BACK);
        assertThat(world.await(local.query()).receivePsn()).isEqualTo(BACK + 1);
        assertThat(world.await(remote.query()).receivePsn()).as("past the wrap").isZero();
        assertThat(world.await(local.query()).sendPsn()).isZero();
    }

    /** Returns the PSNs of the SENDs from that port. */
    private List<Integer> sends(String port) {
        return world.trace().events().stream()
                .filter(FabricEvent.Sent.class::isInstance)
                .map(FabricEvent.Sent.class::cast)
                .filter(sent ->
                        sent.port().equals(port) && sent.packet().operation().isSend())
                .map(sent -> sent.packet().psn())
                .toList();
    }
}
