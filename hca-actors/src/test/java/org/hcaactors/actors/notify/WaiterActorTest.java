// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.notify;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.hcaactors.actors.service.NetworkServices;
import org.hcaactors.actors.service.Services;
import org.hcaactors.actors.service.Shards;
import org.hcaactors.actors.stage.Callers;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.audit.ResourceAudit;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.stage.StageWaiting;
import org.hcaactors.adapter.stage.VerbGuard;
import org.hcaactors.adapter.work.ReceivesInterceptor;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.completion.Waiter.State;
import org.hcaactors.api.completion.WakeCause;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.api.device.Profile;
import org.hcaactors.fabric.actor.FabricActor;
import org.hcaactors.fabric.actor.FabricReference;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.fabric.link.Epoch;
import org.junit.jupiter.api.Test;

/** Messages that reach a thread in another order than they were sent. */
class WaiterActorTest implements StageWaiting {
    private final Services before = services();
    private final Services after =
            before.restarted(Profile.CONNECTX_5, new AtomicUnit(Profile.CONNECTX_5.atomics(), ByteOrder.nativeOrder()));
    private final Reply<WaiterHandle> create = new Reply<>(Runnable::run);
    private final BehaviorTestKit<WaiterActor.Command> actor =
            BehaviorTestKit.create(WaiterActor.create(1, before, create));
    private final WaiterHandle waiter = create.stage().toCompletableFuture().resultNow();

    @Override
    public void until(CompletionStage<Void> stage) {}

    @Override
    public ResourceAudit audit() {
        return ResourceAudit.NONE;
    }

    private Services services() {
        LocalPort port = new LocalPort(
                PortAttributes.of(Profile.CONNECTX_5.port()).withGidTable(List.of(Gid.ofIpv4(10, 0, 0, 1))));
        NetworkServices network = new NetworkServices(
                new FabricReference(TestInbox.<FabricActor.Command>create().getRef(), new Epoch()),
                () -> 0,
                TraceSink.NONE,
                new Callers(Runnable::run, this, DispatcherSelector.sameAsParent()),
                new Shards(List.of(DispatcherSelector.sameAsParent())),
                ReceivesInterceptor.NONE,
                VerbGuard.NONE,
                1,
                false,
                name -> Optional.empty(),
                false);
        return Services.of(
                "a",
                Profile.CONNECTX_5,
                port,
                new AtomicUnit(Profile.CONNECTX_5.atomics(), ByteOrder.nativeOrder()),
                network);
    }

    private void named(int queue, Services on) {
        waiter.named(queue, on.health());
        settle();
    }

    private void settle() {
        while (actor.selfInbox().hasMessages()) {
            actor.runOne();
        }
    }

    // rule notify-device-fatal
    /** A queue that was being created while its adapter restarted may be registered late. */
    @Test
    void aQueueOfBeforeTheAdaptersStartLeavesThoseOfAfterItAlone() {
        named(1, before);
        before.health().restarted("power cycle");
        settle();
        named(3, after);
        CompletableFuture<WakeCause> wait = waiter.await().toCompletableFuture();
        settle();
        assertThat(waiter.state()).isEqualTo(State.WAITING);
        waiter.interrupt();
        settle();
        named(2, before);
        CompletableFuture<WakeCause> next = waiter.await().toCompletableFuture();
        settle();
        assertThat(wait).isCompletedExceptionally();
        assertThat(next).as("queue 3 can wake it").isNotDone();
        after.health().restarted("power cycle");
        settle();
        assertThat(next).isCompletedExceptionally();
    }
}
