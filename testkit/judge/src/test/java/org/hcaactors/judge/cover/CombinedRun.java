// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.cover;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.device.MemoryNode;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.TagMatching;
import org.hcaactors.api.queue.TagSharedReceiveQueue;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.queue.XrcQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.judge.cover.Features.Receiving;
import org.hcaactors.judge.cover.Features.Streams;
import org.hcaactors.lab.pair.DcEnd;
import org.hcaactors.lab.pair.End;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.Transport;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;

/** World of one combination: two adapters, a request from the one to the other, and its result. */
final class CombinedRun {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration HORIZON = Duration.ofNanos(150_000);
    private static final int ENTRIES = 16;

    final Combination row;
    final World world;
    final MemoryHost near;
    final MemoryHost far;
    final CompletionQueue received;
    /** Completion queue at the requester for notifications. */
    final CompletionQueue told;

    final List<WorkCompletion> arrived = new ArrayList<>();
    final Optional<TagSharedReceiveQueue> tags;
    final End asks;
    final End asked;
    final Case facts;
    final KeyedMemory from;
    final KeyedMemory to;

    private CombinedRun(Combination row, World world) {
        this.row = row;
        this.world = world;
        Profile profile = Case.profile(row);
        near = new MemoryHost(world, plugged("a", profile));
        far = new MemoryHost(world, plugged("b", profile));
        told = queue(near);
        received = queue(far);
        tags = row.get(Features.RECEIVING).comparesTags() ? Optional.of(tagQueue()) : Optional.empty();
        Terms attributes = new Terms(row, profile);
        Ends<?> ends = row.get(Features.TRANSPORT)
                .join(world.network(), half(near, told, attributes), farHalf(attributes), attributes.connection());
        asks = ends.a();
        asked = ends.b();
        facts = new Case(row, profile, asks.qp().capacity());
        from = row.get(Features.NEAR).open(near, new BoundEnd(world, asks));
        to = row.get(Features.FAR).open(far, new BoundEnd(world, asked));
        told.completions().subscribe(Subscribers.forEach(each -> {}, reason -> {}));
        received.completions().subscribe(Subscribers.forEach(arrived::add, reason -> {}));
    }

    private Adapter plugged(String name, Profile profile) {
        return world.network().addAdapter(name, profile, World.DEFAULT_LINK);
    }

    private CompletionQueue queue(MemoryHost host) {
        int max = host.adapter.profile().completions().maxEntryBytes();
        return host.await(host.side
                .context()
                .createCq(CqDescription.of(ENTRIES)
                        .withEntryBytes(Math.max(64, max))
                        .withPlacement(row.get(Features.PLACEMENT))));
    }

    private TagSharedReceiveQueue tagQueue() {
        TagMatching requested = TagMatching.of(received);
        boolean fetches =
                row.get(Features.TRANSPORT) == Transport.DC && row.get(Features.RECEIVING) == Receiving.RENDEZVOUS;
        Terms attributes = new Terms(row, Case.profile(row));
        return far.await(far.domain.createSrq(SrqDescription.DEFAULT.withTagMatching(
                fetches ? requested.withDcRendezvous(attributes.connection().withRnrRetry(6)) : requested)));
    }

    private Half half(MemoryHost host, CompletionQueue receives, Terms attributes) {
        Half half = Half.on(host.side)
                .withSendCq(queue(host))
                .withRecvCq(receives)
                .withCapacity(attributes.capacity())
                .withSignalAll()
                .withSettings(attributes);
        boolean fills = row.get(Features.TRANSPORT) == Transport.RC
                && host.adapter.profile().indirectKeys().isSupported();
        return fills ? half.withKeyFilling(MemoryHost.INLINE_ENTRIES) : half;
    }

    private Half farHalf(Terms attributes) {
        Half half = half(far, received, attributes);
        if (tags.isPresent()) {
            return half.withSrq(tags.get());
        }
        boolean shares = row.get(Features.RECEIVING) == Receiving.SHARED
                && row.get(Features.TRANSPORT).sharesReceives();
        return shares
                ? half.withSrq(far.await(far.domain.createSrq(SrqDescription.of(8)
                        .withMaxSge(Math.min(
                                2, far.adapter.profile().sharedReceives().maxSge())))))
                : half;
    }

    /** Runs the combination; throws AssertionError if the result is not what the rules require. */
    static void run(Combination row, long seed) {
        HostMachine machine = HostMachine.DEFAULT
                .withNodes(
                        MemoryNode.of(1L << 40).withHugePages(8),
                        MemoryNode.of(1L << 40).withHugePages(8))
                .withByteOrder(
                        row.get(Features.HOST) == Features.Host.BIG_ENDIAN
                                ? ByteOrder.BIG_ENDIAN
                                : ByteOrder.LITTLE_ENDIAN);
        try (World world = World.of(WorldOptions.of(seed).with(machine))) {
            new CombinedRun(row, world).judge(seed);
        }
    }

    private void judge(long seed) {
        PostedData posted = new PostedData(this);
        ExpectedResult foreseen = OutcomeRules.foreseen(facts);
        posted.prepare();
        guard(from, near);
        guard(to, far);
        posted.pages();
        world.faults().arm(row.get(Features.SWARM).plan(seed, List.of("a", "b"), HORIZON));
        switch (foreseen) {
            case ExpectedResult.Anything any -> whatever(posted);
            case ExpectedResult.ReceiveRefused refused ->
                assertThat(refusal(posted::receive)).as("the receive").contains(refused.errno());
            case ExpectedResult.Refused refused -> {
                posted.receive();
                Optional<Errno> errno = refusal(() -> world.await(submit(posted.request())));
                assertThat(errno.isPresent() && refused.errnos().contains(errno.get()))
                        .as("refused with %s, not one of %s", errno, refused.errnos())
                        .isTrue();
            }
            case ExpectedResult.Ends ends -> {
                posted.receive();
                ends(posted, ends);
            }
        }
        world.heal(TIMEOUT);
    }

    private void whatever(PostedData posted) {
        try {
            posted.receive();
            submit(posted.request()).toCompletableFuture();
        } catch (VerbsException struck) {
            // A crashed part refuses.
        }
    }

    private static Optional<Errno> refusal(Runnable verb) {
        try {
            verb.run();
            return Optional.empty();
        } catch (VerbsException refused) {
            return Optional.of(refused.errno());
        }
    }

    private void ends(PostedData posted, ExpectedResult.Ends requested) {
        WorkCompletion done = world.await(submit(posted.request()), TIMEOUT);
        if (done.status() == Status.RETRY_EXC_ERR && !facts.isCalm()) {
            return;
        }
        assertThat(done.status()).as("the request").isEqualTo(requested.near());
        world.runFor(Duration.ofMillis(50));
        if (facts.isCalm() || facts.isReliable()) {
            arrived(posted, requested);
        }
        if (requested.carried() && !(arrived.isEmpty() && !facts.isReliable() && !facts.isCalm())) {
            posted.check();
        }
    }

    private void arrived(PostedData posted, ExpectedResult.Ends requested) {
        if (requested.far().isEmpty()) {
            assertThat(arrived).as("nothing takes a receive").isEmpty();
            return;
        }
        assertThat(arrived).as("a receive ends").isNotEmpty();
        WorkCompletion last = arrived.getLast();
        assertThat(last.status()).as("the receive").isEqualTo(requested.far().get());
        if (last.isSuccess()) {
            assertThat(last.lengthBytes()).as("bytes received").isEqualTo(posted.receivedBytes());
            assertThat(arrived.stream().map(WorkCompletion::immediate))
                    .as("the immediate")
                    .contains(posted.immediate());
            assertThat(arrived.stream().map(WorkCompletion::invalidated))
                    .as("the invalidated key of the completion")
                    .contains(posted.invalidated());
        }
    }

    CompletionStage<WorkCompletion> submit(WorkRequest work) {
        Streams stream = row.get(Features.STREAMS);
        if (asks instanceof DcEnd end && stream != Streams.NONE) {
            DcAddress peer = end.peer();
            return end.qp().submit(peer, stream == Streams.FIRST ? 0 : 5, (RcWork) work);
        }
        return work instanceof BindWindow bind && bind.type() == WindowType.TYPE_1 ? bound(bind) : asks.submit(work);
    }

    // rule window-post
    /** Binds with the verb if there is one; otherwise the request is refused. */
    private CompletionStage<WorkCompletion> bound(BindWindow bind) {
        MemoryWindow window = bind.window().orElseThrow();
        WindowBinding binding = bind.binding().orElseThrow();
        return switch (asks.qp()) {
            case RcQueuePair pair -> pair.submitBind(bind.id(), window, binding);
            case UcQueuePair pair -> pair.submitBind(bind.id(), window, binding);
            case XrcQueuePair pair -> pair.submitBind(bind.id(), window, binding);
            default -> asks.submit(bind);
        };
    }

    /**
     * Guards the memory, which only the adapter changes from now on. Shared memory is not guarded: each process has its own
     * mapping.
     */
    private void guard(KeyedMemory keyed, MemoryHost host) {
        if (row.get(Features.NEAR) == MemoryKind.SHARED || row.get(Features.FAR) == MemoryKind.SHARED) {
            return;
        }
        keyed.memory()
                .filter(HostMemory::isMapped)
                .ifPresent(memory -> world.guard(host.adapter, MemoryHost.PROCESS, memory));
    }
}
