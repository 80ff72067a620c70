// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Side;

/** Part eight of the tour: a DC initiator of alice's reaches two DC targets of bob's, connecting to each on demand. */
final class DcTour {
    private static final long MEMORY = 1 << 16;
    private static final long KEY = 0xDC;
    private static final int BYTES = 64;
    private static final Duration PAUSE = Duration.ofNanos(20_000);

    /** Longer than an idle initiator stays connected. */
    private static final Duration IDLE_TIME = Duration.ofNanos(100_000);

    /** A target with its shared receive queue. */
    private final class TargetQueue {
        final Side side;
        final SharedReceiveQueue receives;
        final DcTarget target;

        TargetQueue(Adapter host, String name) {
            side = Side.of(ground.network(), host, name, MEMORY);
            CompletionQueue completions = ground.await(side.context().createCq(15));
            receives = ground.await(side.domain().createSrq(SrqDescription.of(16)));
            target = ground.await(
                    side.domain().createDcTarget(DcTargetDescription.of(completions, receives, DcAccessKey.of(KEY))));
            ground.await(target.open(ground.terms(RcConnection.DEFAULT)));
        }

        DcAddress from(Side initiator, long key) {
            return DcAddress.of(
                    ground.await(initiator.domain().createAddressHandle(AddressVector.to(target.gid()))),
                    target.number(),
                    DcAccessKey.of(key));
        }

        void receives() {
            receives.postReceive(Receive.of(++workId, side.slice(0, BYTES)));
        }
    }

    private final TourGround ground;
    private final Side alice;
    private final TargetQueue first;
    private final TargetQueue second;
    private final DcInitiator initiator;
    private final List<RcTour.Step> steps = new ArrayList<>();
    private long workId = 800;

    DcTour(TourGround ground, Adapter alices, Adapter bobs) {
        this.ground = ground;
        alice = Side.of(ground.network(), alices, "initiator", MEMORY);
        first = new TargetQueue(bobs, "target");
        second = new TargetQueue(bobs, "another");
        initiator = ground.await(alice.domain().createQp(QpDescription.dc()));
        ground.await(initiator.open(ground.terms(RcConnection.DEFAULT)));
    }

    List<RcTour.Step> run() {
        first.receives();
        step("SEND over DC, directly after its CONNECT", first, send(), Status.SUCCESS);
        RdmaWrite write = RdmaWrite.of(++workId, alice.slice(0, BYTES), first.side.remote(BYTES));
        step("WRITE to the same target, in the same session", first, write, Status.SUCCESS);
        second.receives();
        step("SEND to another target, in another session", second, send(), Status.SUCCESS);
        ground.runFor(IDLE_TIME);
        FetchAdd add = FetchAdd.of(++workId, alice.slice(1024, 8), second.side.remote(1024), 1);
        step("FETCH_ADD after the idle initiator disconnected", second, add, Status.SUCCESS);
        step("SEND with a wrong access key", second.from(alice, KEY + 1), send(), Status.REM_ACCESS_ERR);
        ground.await(initiator.modify(QpModify.to(QpState.RESET)));
        ground.await(initiator.open(ground.terms(RcConnection.DEFAULT)));
        first.receives();
        step("SEND after a reset of the initiator", first, send(), Status.SUCCESS);
        ground.runFor(IDLE_TIME);
        return steps;
    }

    private Send send() {
        return Send.of(++workId, alice.slice(0, BYTES));
    }

    private void step(String what, TargetQueue to, RcWork work, Status expected) {
        step(what, to.from(alice, KEY), work, expected);
    }

    private void step(String what, DcAddress to, RcWork work, Status expected) {
        int from = ground.now();
        Status got = ground.await(initiator.submit(to, work)).status();
        ground.runFor(PAUSE);
        steps.add(new RcTour.Step(what, expected, got, from));
    }
}
