// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.XrcDomain;
import org.hcaactors.api.queue.XrcDomainDescription;
import org.hcaactors.api.queue.XrcQueuePair;
import org.hcaactors.api.queue.XrcTarget;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.NamedQueue;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.pair.XrcEnd;

/** Part seven of the tour: alice reaches two processes of bob's host over one XRC connection. */
final class XrcTour {
    private static final long MEMORY = 1 << 16;
    private static final int BYTES = 64;
    private static final int UNUSED_NUMBER = 99;
    private static final Duration PAUSE = Duration.ofNanos(20_000);

    /** Longer than an acknowledgement takes, and shorter than the delay after an RNR NAK. */
    private static final Duration A_WHILE = Duration.ofNanos(100_000);

    private static final RcConnection TERMS =
            RcConnection.DEFAULT.withRnrRetry(7).withMinRnrTimerCode(12);

    /** A process of bob's host with its own queue. */
    private final class Process {
        final XrcDomain domain;
        final NamedQueue queue;

        Process(Adapter host, String name) {
            Side side = Side.of(ground.network(), host, name, MEMORY);
            domain = ground.await(side.context().openXrcDomain(XrcDomainDescription.of(XrcEnd.FILE)));
            queue = NamedQueue.in(
                    ground.network(), domain, side, ground.await(side.context().createCq(15)), SrqDescription.of(16));
        }

        void receives() {
            queue.postReceive(Receive.of(++workId, queue.side().slice(0, BYTES)));
        }
    }

    private final TourGround ground;
    private final Adapter bobs;
    private final Side alice;
    private final Process first;
    private final Process second;
    private final List<RcTour.Step> steps = new ArrayList<>();
    private XrcQueuePair initiator;
    private long workId = 700;

    XrcTour(TourGround ground, Adapter alices, Adapter bobs) {
        this.ground = ground;
        this.bobs = bobs;
        alice = Side.of(ground.network(), alices, "asker", MEMORY);
        first = new Process(bobs, "first");
        second = new Process(bobs, "second");
        initiator = ground.await(alice.domain().createQp(QpDescription.xrc()));
    }

    List<RcTour.Step> run() {
        XrcTarget made = ground.await(first.domain.createTarget());
        XrcEnd.connect(ground.network(), initiator, made, ground.terms(TERMS));
        eachProcess();
        emptyQueue();
        XrcTarget opened = ground.await(second.domain.openTarget(made.number()));
        ground.await(bobs.process("first").exit());
        second.receives();
        step("SEND after the target's creator has exited", second, send(), Status.SUCCESS);
        step("SEND to a queue whose process has exited", first, send(), Status.REM_INV_REQ_ERR);
        ground.await(opened.destroy());
        keyOfAnother();
        return steps;
    }

    private Send send() {
        return Send.of(++workId, alice.slice(0, BYTES));
    }

    private void step(String what, Process to, RcWork work, Status expected) {
        step(what, to.queue.number(), work, expected);
    }

    private void step(String what, int srqNumber, RcWork work, Status expected) {
        int from = ground.now();
        Status got = ground.await(initiator.submit(srqNumber, work)).status();
        ground.runFor(PAUSE);
        steps.add(new RcTour.Step(what, expected, got, from));
    }

    private void eachProcess() {
        first.receives();
        step("SEND over XRC to one of bob's processes", first, send(), Status.SUCCESS);
        second.receives();
        step("SEND to another process over the same connection", second, send(), Status.SUCCESS);
        RdmaWrite write = RdmaWrite.of(
                ++workId, alice.slice(0, BYTES), second.queue.side().remote(BYTES));
        step("WRITE to the memory of the second process", second, write, Status.SUCCESS);
        FetchAdd add =
                FetchAdd.of(++workId, alice.slice(1024, 8), first.queue.side().remote(1024), 1);
        step("FETCH_ADD in the memory of the first process", first, add, Status.SUCCESS);
    }

    /** Sends to a queue without a receive, which delays a message to another queue. */
    private void emptyQueue() {
        int from = ground.now();
        second.receives();
        long refusals = refusals();
        CompletionStage<WorkCompletion> early = initiator.submit(first.queue.number(), send());
        CompletionStage<WorkCompletion> behind = initiator.submit(second.queue.number(), send());
        ground.until(() -> refusals() > refusals, A_WHILE);
        String got = behind.toCompletableFuture().isDone() ? "arrived" : "delayed";
        steps.add(new RcTour.Step("SEND behind a SEND to an empty queue", "delayed", got, from));
        first.receives();
        CompletableFuture<WorkCompletion> last = behind.toCompletableFuture();
        ground.await(early);
        steps.add(new RcTour.Step(
                "the same after a receive was posted",
                Status.SUCCESS,
                ground.await(last).status(),
                ground.now()));
    }

    private long refusals() {
        return alice.adapter().counters().getOrDefault("rnr_nak_retry_err", 0L);
    }

    /** Each refused request ends its connection, so each uses its own. */
    private void keyOfAnother() {
        Process third = new Process(bobs, "third");
        RdmaWrite write = RdmaWrite.of(
                ++workId, alice.slice(0, BYTES), second.queue.side().remote(0));
        again();
        step("WRITE that names the queue of another process", third, write, Status.REM_ACCESS_ERR);
        again();
        step("WRITE that names an unknown queue", UNUSED_NUMBER, write, Status.REM_INV_REQ_ERR);
    }

    private void again() {
        initiator = ground.await(alice.domain().createQp(QpDescription.xrc()));
        XrcEnd.connect(ground.network(), initiator, ground.await(second.domain.createTarget()), ground.terms(TERMS));
    }
}
