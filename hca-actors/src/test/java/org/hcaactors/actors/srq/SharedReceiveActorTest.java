// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.srq;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.hcaactors.actors.completion.CompletionQueueActor;
import org.hcaactors.actors.completion.CompletionQueueBlueprint;
import org.hcaactors.actors.completion.CompletionQueueHandle;
import org.hcaactors.actors.service.NetworkServices;
import org.hcaactors.actors.service.Services;
import org.hcaactors.actors.service.Shards;
import org.hcaactors.actors.stage.Callers;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.audit.Audited;
import org.hcaactors.adapter.audit.ResourceAudit;
import org.hcaactors.adapter.audit.ResourceSnapshot;
import org.hcaactors.adapter.audit.VerbOwner;
import org.hcaactors.adapter.completion.Completions;
import org.hcaactors.adapter.completion.WorkQueueFeed;
import org.hcaactors.adapter.flow.EventSink;
import org.hcaactors.adapter.inline.InlineVariables;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.adapter.page.HostPages;
import org.hcaactors.adapter.page.PageAllocationSettings;
import org.hcaactors.adapter.page.PageAllocator;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.adapter.srq.SrqUser;
import org.hcaactors.adapter.srq.TagSlots;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.stage.StageWaiting;
import org.hcaactors.adapter.stage.VerbGuard;
import org.hcaactors.adapter.tag.TagMatch;
import org.hcaactors.adapter.tag.TagOpening;
import org.hcaactors.adapter.work.ReceivesInterceptor;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.SrqCapacity;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.actor.FabricActor;
import org.hcaactors.fabric.actor.FabricReference;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.fabric.link.Epoch;
import org.junit.jupiter.api.Test;

/** A tag-matching queue that is in error, or whose completion queue is. */
class SharedReceiveActorTest implements StageWaiting {
    private static final int QUEUE = 3;
    /** Capacity of the completion queue. */
    private static final int CAPACITY = 15;

    private static final Profile PROFILE = Profile.CONNECTX_6;
    private static final Shards SHARDS = new Shards(List.of(DispatcherSelector.sameAsParent()));

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static final Reply<WorkCompletion>[] NO_STAGES = new Reply[0];

    private final List<Audited> accounts = new ArrayList<>();
    private final Services services = services();
    private final Reply<CompletionQueueHandle> queueBorn = new Reply<>(Runnable::run);
    private final BehaviorTestKit<CompletionQueueActor.Command> completions =
            BehaviorTestKit.create(completionQueue().behavior(1, services, queueBorn));
    private final CompletionQueueHandle completionQueue =
            queueBorn.stage().toCompletableFuture().resultNow();
    private final Reply<SharedReceiveHandle> create = new Reply<>(Runnable::run);
    private final BehaviorTestKit<SharedReceiveActor.Command> actor =
            BehaviorTestKit.create(sharedReceives().behavior(QUEUE, services, create));
    private final SharedReceiveHandle handle =
            create.stage().toCompletableFuture().resultNow();
    private final RecordingUser user = new RecordingUser();

    /** A queue pair that records its notifications. */
    private static class RecordingUser implements SrqUser {
        final List<Object> heard = new ArrayList<>();

        @Override
        public void sharedReceivesFailed(int queue) {
            heard.add("failed");
        }

        @Override
        public void srqDestroying(int queue) {}
    }

    private static final EventSink NO_EVENTS = new EventSink() {
        @Override
        public void raise(AsyncEvent event) {}

        @Override
        public void settle(AsyncEvent.Source source, int element, Reply<Void> reply) {}
    };

    @Override
    public void until(CompletionStage<Void> stage) {}

    @Override
    public ResourceAudit audit() {
        return new ResourceAudit() {
            @Override
            public void pending(VerbOwner by, Object verb, Future<?> stage) {}

            @Override
            public void opened(Audited audited) {
                accounts.add(audited);
            }

            @Override
            public void closed(Audited audited) {}
        };
    }

    private Services services() {
        LocalPort port =
                new LocalPort(PortAttributes.of(PROFILE.port()).withGidTable(List.of(Gid.ofIpv4(10, 0, 0, 1))));
        NetworkServices network = new NetworkServices(
                new FabricReference(TestInbox.<FabricActor.Command>create().getRef(), new Epoch()),
                () -> 0,
                TraceSink.NONE,
                new Callers(Runnable::run, this, DispatcherSelector.sameAsParent()),
                SHARDS,
                ReceivesInterceptor.NONE,
                VerbGuard.NONE,
                1,
                false,
                name -> Optional.empty(),
                false);
        return Services.of(
                "a", PROFILE, port, new AtomicUnit(Profile.CONNECTX_5.atomics(), ByteOrder.nativeOrder()), network);
    }

    private static PageAllocator pages() {
        return new PageAllocator(
                new HostPages(HostMachine.DEFAULT), () -> PageAllocationSettings.DEFAULT, refused -> {});
    }

    private static CompletionQueueBlueprint completionQueue() {
        return CompletionQueueBlueprint.of(
                CqDescription.of(CAPACITY),
                Optional.empty(),
                Optional.empty(),
                pages(),
                NO_EVENTS,
                PROFILE,
                new InlineVariables(Optional.empty(), Optional.empty()),
                SHARDS);
    }

    private SharedReceiveBlueprint sharedReceives() {
        TagQueueParts tags = new TagQueueParts(completionQueue, new TagSlots(4, 4));
        return new SharedReceiveBlueprint(1, SrqCapacity.of(8), pages(), AllocatedPages.NONE, NO_EVENTS, tags, 0);
    }

    private void settle() {
        while (actor.selfInbox().hasMessages() || completions.selfInbox().hasMessages()) {
            if (actor.selfInbox().hasMessages()) {
                actor.runOne();
            } else {
                completions.runOne();
            }
        }
    }

    private void tells(SharedReceiveActor.Command command) {
        actor.getRef().tell(command);
        settle();
    }

    private void posted(int receives) {
        for (int id = 1; id <= receives; id++) {
            handle.postReceive(Receive.of(id));
        }
        tells(new SharedReceiveActor.Attach(user));
    }

    private Optional<TagMatch> finds() {
        return handle.tags().match(new TagOpening.NoTag(), 7, 0);
    }

    /** Crashes the queue by a user that throws. */
    private void crashes() {
        SrqUser throwing = new RecordingUser() {
            @Override
            public int hashCode() {
                throw new IllegalStateException("deaf");
            }

            @Override
            public boolean equals(Object other) {
                return this == other;
            }
        };
        tells(new SharedReceiveActor.Attach(throwing));
    }

    private void overflows() {
        WorkQueueFeed workQueue = new WorkQueueFeed(slots -> {});
        for (int i = 0; i <= CAPACITY; i++) {
            WorkCompletion one = WorkCompletion.of(i, Status.SUCCESS, CompletionKind.RECV, 9, 0, OptionalInt.empty());
            completionQueue.complete(new Completions(
                    new WorkCompletion[] {one}, workQueue, new int[] {1}, NO_STAGES, new boolean[] {false}));
        }
        settle();
    }

    /** Returns the number of receives in the queue. */
    private int standing() {
        return accounts.stream()
                .map(Audited::snapshot)
                .filter(ResourceSnapshot.SharedReceives.class::isInstance)
                .map(ResourceSnapshot.SharedReceives.class::cast)
                .mapToInt(ResourceSnapshot.SharedReceives::receives)
                .sum();
    }

    // rules tag-returned, event-crash
    @Test
    void aMatchFromBeforeACrashIsReturnedAndNoneFollows() {
        posted(2);
        TagMatch match = finds().orElseThrow();
        crashes();
        assertThat(finds()).isEmpty();
        assertThat(user.heard).containsExactly("failed");
        handle.tags().putBack(match, 7);
        assertThat(standing()).isEqualTo(2);
    }

    // rules receive-returned, xrc-queue-fails
    @Test
    void aTakeAfterAFailedCompletionQueueGetsNoReceive() {
        posted(2);
        assertThat(finds()).isPresent();
        overflows();
        assertThat(finds()).isEmpty();
        assertThat(handle.take()).isNull();
        assertThat(user.heard).containsExactly("failed");
        assertThat(standing()).isOne();
    }
}
