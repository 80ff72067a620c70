// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.link.Interceptor;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.lab.fault.CrashTarget;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Test;

/** An exception in a queue pair's actor: hardware would raise QP_FATAL, and so does the model. */
class CrashTest {
    // rule event-crash
    @Test
    void aCrashFlushesRequestsOnceAndRaisesOneQpFatal() {
        try (World world = World.of(21)) {
            Adapter a = world.network().addAdapter("a", Profile.CONNECTX_5);
            Adapter b = world.network().addAdapter("b", Profile.CONNECTX_5);
            ConnectedPair victim = ConnectedPair.between(
                    world.network(),
                    a,
                    b,
                    Shape.DEFAULT.with(RcConnection.DEFAULT.withTimeoutCode(1).withRetryCount(1)));
            ConnectedPair bystander = ConnectedPair.between(world.network(), a, b);
            List<AsyncEvent> events = new ArrayList<>();
            List<WorkCompletion> received = new ArrayList<>();
            victim.b().context().asyncEvents().subscribe(Subscribers.forEach(events::add));
            victim.b().recvCq().completions().subscribe(Subscribers.forEach(received::add));
            for (int i = 0; i < 3; i++) {
                victim.b().qp().postReceive(Receive.of(i));
            }
            world.settle();
            boolean[] once = {true};
            world.network().intercept(transit -> {
                boolean hit = once[0] && transit.packet().opcode() == Opcode.RC_WRITE_ONLY;
                once[0] &= !hit;
                if (hit) {
                    world.faults().now().crash(b, victim.b().qp());
                }
                return Verdict.PASS;
            });
            WorkCompletion sent = world.await(victim.a()
                    .qp()
                    .submit(RdmaWrite.of(1, victim.a().slice(0, 8), victim.b().remote(0))));
            world.network().intercept(Interceptor.NONE);
            world.settle();

            assertThat(sent.status()).as("the peer is gone").isEqualTo(Status.RETRY_EXC_ERR);
            assertThat(victim.b().qp().state()).isEqualTo(QpState.ERR);
            assertThat(events).extracting(AsyncEvent::kind).containsExactly(AsyncEvent.Kind.QP_FATAL);
            assertThat(received).extracting(WorkCompletion::workId).containsExactly(0L, 1L, 2L);
            assertThat(received).extracting(WorkCompletion::status).containsOnly(Status.WR_FLUSH_ERR);
            assertThat(world.await(bystander
                                    .a()
                                    .qp()
                                    .submit(RdmaWrite.of(
                                            2,
                                            bystander.a().slice(0, 8),
                                            bystander.b().remote(0))))
                            .isSuccess())
                    .isTrue();
            world.await(victim.b().qp().modify(QpModify.to(QpState.RESET)));
            world.await(victim.b().qp().modify(RcConnection.DEFAULT.toInit()));
        }
    }

    // rules event-crash, memory-held
    @Test
    void aWindowOfACrashedTranslatorDeniesAccessAndHoldsNothing() {
        try (World world = World.of(5)) {
            Adapter a = world.network().addAdapter("a", Profile.CONNECTX_5);
            ConnectedPair pair = ConnectedPair.between(world.network(), a, a);
            MemoryRegion region =
                    world.await(pair.b().domain().register(pair.b().memory(), Access.LOCAL_WRITE, Access.MW_BIND));
            MemoryWindow window = world.await(pair.b().domain().allocateWindow(WindowType.TYPE_1));
            WindowBinding binding = WindowBinding.of(region).withAccess(Access.REMOTE_WRITE);
            assertThat(world.await(pair.b().qp().submitBind(1, window, binding)).isSuccess())
                    .isTrue();
            world.faults().now().crash(new CrashTarget.TranslatorOf("a", window.rkey()));
            world.settle();
            RdmaWrite write = RdmaWrite.of(2, pair.a().slice(0, 8), window.remote(region.address()));
            assertThat(world.await(pair.a().qp().submit(write)).status()).isEqualTo(Status.REM_ACCESS_ERR);
            world.await(region.deregister());
            world.await(window.deallocate());
        }
    }

    @Test
    void closingTheNetworkFlushesOutstandingRequests() {
        World world = World.of(3);
        Adapter a = world.network().addAdapter("a", Profile.CONNECTX_5);
        Adapter b = world.network().addAdapter("b", Profile.CONNECTX_5);
        ConnectedPair pair = ConnectedPair.between(
                world.network(),
                a,
                b,
                Shape.DEFAULT.with(RcConnection.DEFAULT.withTimeoutCode(0).withRetryCount(0)));
        world.network().intercept(transit -> new Verdict.Drop("everything"));
        CompletionStage<WorkCompletion> open = pair.a()
                .qp()
                .submit(RdmaWrite.of(1, pair.a().slice(0, 8), pair.b().remote(0)));
        world.settle();
        world.close();
        assertThat(open.toCompletableFuture().resultNow().status()).isEqualTo(Status.WR_FLUSH_ERR);
    }
}
