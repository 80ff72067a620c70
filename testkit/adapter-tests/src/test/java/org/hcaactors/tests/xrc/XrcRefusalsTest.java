// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.xrc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.XrcTarget;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Refusals over extended reliable connections as over RC, and where they are reported. */
class XrcRefusalsTest {
    /** Two tries within a millisecond each. */
    private static final RcConnection SHORT =
            RcConnection.DEFAULT.withTimeoutCode(6).withRetryCount(1);

    private final World world = World.of(19);
    private final XrcSetup ground = new XrcSetup(world);
    private final XrcSetup.Member ann = ground.member("ann");
    private final XrcSetup.Member ben = ground.member("ben");

    @AfterEach
    void close() {
        world.close();
    }

    private <T> T await(CompletionStage<T> stage) {
        return world.await(stage);
    }

    // rule xrc-srq
    @Test
    void anXrcSrqServesNoQueuePairAndNoTarget() {
        assertThatThrownBy(() -> await(ann.domain.createQp(QpDescription.rc().withSrq(ann.queue))))
                .satisfies(this::isOfXrc);
        assertThatThrownBy(() -> await(ann.domain.createQp(QpDescription.ud().withSrq(ann.queue))))
                .satisfies(this::isOfXrc);
        assertThatThrownBy(() -> await(ann.domain.createDcTarget(
                        DcTargetDescription.of(ann.completions, ann.queue, DcAccessKey.of(1)))))
                .satisfies(this::isOfXrc);
    }

    private void isOfXrc(Throwable refused) {
        assertThat(refused).isInstanceOf(VerbsException.class).hasMessageContaining("belongs to XRC: requests name it");
    }

    // rule xrc-completion
    @Test
    void aMessageTooLongFailsItsReceiveInItsQueuesCq() {
        XrcTarget target = await(ann.shared.createTarget());
        XrcSetup.InitiatorSide initiator = ground.new InitiatorSide("app").to(target);
        ben.receive(4, 10);
        assertThat(initiator
                        .submit(ben.queue, Send.of(1, initiator.slice(0, 11)))
                        .status())
                .isEqualTo(Status.REM_INV_REQ_ERR);
        WorkCompletion told = ben.polled();
        assertThat(told.workId()).isEqualTo(4);
        assertThat(told.status()).isEqualTo(Status.LOC_LEN_ERR);
        assertThat(await(ann.completions.poll(1))).isEmpty();
        assertThat(target.state()).isEqualTo(QpState.ERR);
    }

    // rule xrc-domain
    @Test
    void theTargetsAccessFlagsApplyWhateverTheKeysAllow() {
        XrcTarget target = await(ann.shared.createTarget());
        RcConnection attributes = RcConnection.DEFAULT.withRemoteAccess(AccessFlags.of(Access.REMOTE_WRITE));
        XrcSetup.InitiatorSide initiator = ground.new InitiatorSide("app").to(target, attributes);
        assertThat(initiator
                        .submit(ben.queue, RdmaWrite.of(1, initiator.slice(0, 8), ben.remote(0)))
                        .status())
                .isEqualTo(Status.SUCCESS);
        assertThat(initiator
                        .submit(ben.queue, FetchAdd.of(2, initiator.slice(0, 8), ben.remote(0), 1))
                        .status())
                .isEqualTo(Status.REM_INV_REQ_ERR);
    }

    // rule xrc-rnr
    @Test
    void aQueueThatStaysEmptyEndsTheConnectionAfterItsRetries() {
        XrcTarget target = await(ann.shared.createTarget());
        XrcSetup.InitiatorSide initiator =
                ground.new InitiatorSide("app").to(target, RcConnection.DEFAULT.withRnrRetry(1));
        assertThat(initiator
                        .submit(ann.queue, Send.of(1, initiator.slice(0, 8)))
                        .status())
                .isEqualTo(Status.RNR_RETRY_EXC_ERR);
        assertThat(target.state()).as("the target is not notified").isEqualTo(QpState.RTS);
    }

    // rules xrc-one-way, qp-packet-filter
    @Test
    void anXrcTargetIgnoresPacketsOfRc() {
        XrcTarget target = await(ann.shared.createTarget());
        ProtectionDomain domain = ground.near.process("app").open().allocatePd();
        RcQueuePair rc = await(domain.createQp(QpDescription.rc()));
        await(target.connect(rc.gid(), rc.number(), SHORT.reversed()));
        await(rc.connect(target.gid(), target.number(), SHORT));
        ann.receive(1, 100);
        assertThat(await(rc.submit(Send.of(1))).status()).isEqualTo(Status.RETRY_EXC_ERR);
        assertThat(await(ann.completions.poll(1))).isEmpty();
    }

    // rules xrc-one-way, qp-packet-filter
    @Test
    void anRcQueuePairIgnoresPacketsOfXrc() {
        RcQueuePair rc = await(ann.domain.createQp(QpDescription.rc()));
        XrcSetup.InitiatorSide initiator = ground.new InitiatorSide("app");
        await(rc.connect(initiator.pair.gid(), initiator.pair.number(), SHORT.reversed()));
        await(initiator.pair.connect(rc.gid(), rc.number(), SHORT));
        ann.receive(1, 100);
        assertThat(initiator
                        .submit(ann.queue, Send.of(1, initiator.slice(0, 8)))
                        .status())
                .isEqualTo(Status.RETRY_EXC_ERR);
        assertThat(await(ann.completions.poll(1))).isEmpty();
    }
}
