// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;

/**
 * The tour. This class has its first part, RC: all operations, then a lost packet, a receiver that is not ready, and a key that
 * does not exist. Then it runs the other parts.
 */
final class RcTour {
    /**
     * A step of the tour.
     *
     * @param what description
     * @param expected expected status or other result
     * @param actual actual result
     * @param fromEvent number of trace events before the step
     * @param explanations sentences to print instead of the ladder; empty if the ladder is printed
     */
    record Step(String what, String expected, String actual, int fromEvent, List<String> explanations) {
        Step(String what, String expected, String got, int fromEvent) {
            this(what, expected, got, fromEvent, List.of());
        }

        Step(String what, Status expected, Status got, int fromEvent) {
            this(what, expected.name(), got.name(), fromEvent);
        }

        boolean holds() {
            return expected.equals(actual);
        }
    }

    private final TourGround ground;
    private final Adapter alice;
    private final Adapter bob;
    private final ConnectedPair pair;
    private final List<Step> steps = new ArrayList<>();
    private final List<WorkCompletion> received = new ArrayList<>();
    private long workId;

    RcTour(TourGround ground) {
        this.ground = ground;
        alice = ground.near("alice", Profile.CONNECTX_5);
        bob = ground.far("bob", Profile.CONNECTX_5);
        RcConnection attributes = RcConnection.DEFAULT
                .withTimeoutCode(8)
                .withRetryCount(7)
                .withRnrRetry(7)
                .withMinRnrTimerCode(3)
                .withFirstPsn(100);
        pair = ConnectedPair.between(ground.network(), alice, bob, Shape.DEFAULT.with(ground.terms(attributes)));
        pair.b().recvCq().completions().subscribe(Subscribers.forEach(received::add));
        pair.a().memory().write(0, "hello, remote memory".repeat(150).getBytes(StandardCharsets.US_ASCII));
        pair.b().memory().writeLong(8192, 41);
    }

    ConnectedPair pair() {
        return pair;
    }

    List<WorkCompletion> received() {
        return received;
    }

    List<Step> run() {
        everyOperation();
        lostPacket();
        receiverNotReady();
        badKey();
        steps.addAll(new OtherTransports(ground, alice, bob).run());
        steps.addAll(new MemoryTour(ground, alice, bob).run());
        steps.addAll(new HostTour(ground, alice, bob).run());
        steps.addAll(new AtomicTour(ground, alice, bob).run());
        steps.addAll(new FirmwareTour(ground, alice).run());
        steps.addAll(new XrcTour(ground, alice, bob).run());
        steps.addAll(new DcTour(ground, alice, bob).run());
        steps.addAll(new TagTour(ground, alice, bob).run());
        ground.world().ifPresent(world -> world.runToQuiet(Duration.ofSeconds(1)));
        return List.copyOf(steps);
    }

    private void everyOperation() {
        receive(2500);
        step("SEND of three packets", Send.of(++workId, pair.a().slice(0, 2500)));
        receive(64);
        step("SEND with immediate", Send.of(++workId, pair.a().slice(0, 64)).withImmediate(0xCAFE));
        step(
                "RDMA WRITE",
                RdmaWrite.of(++workId, pair.a().slice(0, 1500), pair.b().remote(4096)));
        receive(0);
        RdmaWrite write = RdmaWrite.of(++workId, pair.a().slice(0, 64), pair.b().remote(4096));
        step("RDMA WRITE with immediate", write.withImmediate(7));
        step(
                "RDMA READ of three packets",
                RdmaRead.of(++workId, pair.a().slice(16_384, 2500), pair.b().remote(0)));
        RemoteAddress counter = pair.b().remote(8192);
        step("FETCH_ADD of 1 to 41", FetchAdd.of(++workId, pair.a().slice(24_576, 8), counter, 1));
        step("CMP_AND_SWP of 42 to 7", CompareAndSwap.of(++workId, pair.a().slice(24_576, 8), counter, 42, 7));
    }

    private void lostPacket() {
        ground.loseNext(Opcode.RC_WRITE_MIDDLE);
        step(
                "RDMA WRITE that loses its middle packet",
                RdmaWrite.of(++workId, pair.a().slice(0, 3000), pair.b().remote(4096)));
    }

    private void receiverNotReady() {
        int from = ground.events().size();
        long refusals = refusals();
        CompletionStage<WorkCompletion> stage =
                pair.a().qp().submit(Send.of(++workId, pair.a().slice(0, 64)));
        ground.until(() -> refusals() > refusals, Duration.ofNanos(5000));
        receive(64);
        step("SEND to a receiver that is not ready", Status.SUCCESS, stage, from);
    }

    private long refusals() {
        return alice.counters().getOrDefault("rnr_nak_retry_err", 0L);
    }

    private void badKey() {
        int from = ground.events().size();
        RemoteAddress nowhere = new RemoteAddress(0xBAD00, 0);
        CompletionStage<WorkCompletion> stage =
                pair.a().qp().submit(RdmaWrite.of(++workId, pair.a().slice(0, 64), nowhere));
        step("RDMA WRITE under a key that does not exist", Status.REM_ACCESS_ERR, stage, from);
    }

    private void receive(int bytes) {
        pair.b().qp().postReceive(Receive.of(100 + workId, pair.b().slice(32_768, bytes)));
        ground.settle();
    }

    private void step(String what, RcWork work) {
        int from = ground.events().size();
        step(what, Status.SUCCESS, pair.a().qp().submit(work), from);
    }

    private void step(String what, Status expected, CompletionStage<WorkCompletion> stage, int from) {
        steps.add(new Step(what, expected, ground.await(stage).status(), from));
    }
}
