// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.TagMatching;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.queue.XrcDomain;
import org.hcaactors.api.queue.XrcDomainDescription;
import org.hcaactors.api.queue.XrcQueuePair;
import org.hcaactors.api.queue.XrcTarget;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.client.messages.TagBuffer;
import org.hcaactors.client.messages.TagEndpoint;
import org.hcaactors.client.messages.TagEndpointDescription;
import org.hcaactors.client.messages.TagPeer;
import org.hcaactors.client.messages.TagReceive;
import org.hcaactors.client.pool.DciPool;
import org.hcaactors.client.pool.DciPoolDescription;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;

/** Operations that consist of several verbs, each as a program that closes only what it received. */
final class Composed {
    private static final long KEY = 0x5EED;
    private static final int BYTES = 8192;
    private static final TagEndpointDescription TERMS = TagEndpointDescription.DEFAULT
            .withMaxEagerBytes(1024)
            .withMaxListed(2)
            .withMaxUnexpected(2);

    private final World world;
    final Side left;
    final Side right;
    private final CompletionQueue cq;
    private final CompletionQueue far;
    private final SharedReceiveQueue srq;

    /** Closes what the program received, newest first. */
    private final Deque<Supplier<CompletionStage<Void>>> given = new ArrayDeque<>();

    Composed(World world) {
        this.world = world;
        left = side("a", "left");
        right = side("b", "right");
        cq = world.await(left.context().createCq(63));
        far = world.await(right.context().createCq(63));
        srq = world.await(right.domain().createSrq(SrqDescription.of(4)));
    }

    private Side side(String adapter, String process) {
        Adapter made = world.adapter(adapter, Profile.CONNECTX_6);
        return Side.of(world.network(), made, process, BYTES);
    }

    /** The operations by name. */
    Map<String, Runnable> programs() {
        Map<String, Runnable> all = new LinkedHashMap<>();
        all.put("RC pair", this::reliable);
        all.put("RC queue pair that connects itself", this::connecting);
        all.put("UC pair", this::unreliable);
        all.put("UD queue pair", this::datagrams);
        all.put("XRC", this::extended);
        all.put("DC", this::dynamic);
        all.put("pool", this::pool);
        all.put("pool of others' initiators", this::poolOfOthers);
        all.put("tag queue", this::tagQueue);
        all.put("tag queue that fetches over DC", this::fetchingTagQueue);
        all.put("tag endpoint", this::endpoint);
        all.put("tag messages", () -> messages(64));
        all.put("long tag messages", () -> messages(4096));
        return all;
    }

    Deque<Supplier<CompletionStage<Void>>> given() {
        return given;
    }

    private <T> T await(CompletionStage<T> stage) {
        return world.await(stage);
    }

    private <H extends Handle> H made(CompletionStage<H> creation) {
        H handle = await(creation);
        given.push(handle::closeAsync);
        return handle;
    }

    private RdmaWrite write() {
        return RdmaWrite.of(1, left.slice(0, 64), right.remote(0)).withSignaled();
    }

    private void succeeds(CompletionStage<WorkCompletion> stage) {
        WorkCompletion completion = await(stage);
        if (!completion.isSuccess()) {
            throw new AssertionError("a request should succeed, and ended as " + completion);
        }
    }

    private void reliable() {
        QpPair<RcQueuePair> pair = await(QpPair.connectRc(left.domain(), right.domain()));
        given.push(() -> pair.local().closeAsync());
        given.push(() -> pair.remote().closeAsync());
        succeeds(pair.local().submit(write()));
    }

    private void connecting() {
        RcQueuePair one = made(left.domain().createQp(QpDescription.rc()));
        RcQueuePair other = made(right.domain().createQp(QpDescription.rc()));
        await(one.connect(other.gid(), other.number(), RcConnection.DEFAULT));
        await(other.connect(one.gid(), one.number(), RcConnection.DEFAULT));
        succeeds(one.submit(write()));
    }

    private void unreliable() {
        QpPair<UcQueuePair> pair = await(QpPair.connectUc(left.domain(), right.domain()));
        given.push(() -> pair.local().closeAsync());
        given.push(() -> pair.remote().closeAsync());
    }

    private void datagrams() {
        UdQueuePair pair = made(left.domain().createQp(QpDescription.ud()));
        await(pair.activate(QKey.of(1)));
    }

    private void extended() {
        XrcDomain domain = made(right.context().openXrcDomain(XrcDomainDescription.unnamed()));
        SharedReceiveQueue queue = made(right.domain().createSrq(SrqDescription.DEFAULT.withXrc(domain, far)));
        XrcTarget target = made(domain.createTarget());
        XrcTarget again = made(domain.openTarget(target.number()));
        XrcQueuePair initiator = made(left.domain().createQp(QpDescription.xrc()));
        await(again.connect(initiator.gid(), initiator.number(), RcConnection.DEFAULT));
        await(initiator.connect(target.gid(), target.number(), RcConnection.DEFAULT));
        succeeds(initiator.submit(queue.number(), write()));
    }

    private DcAddress target() {
        DcTarget target = made(right.domain().createDcTarget(DcTargetDescription.of(far, srq, DcAccessKey.of(KEY))));
        await(target.open(RcConnection.DEFAULT));
        AddressHandle path = made(left.domain().createAddressHandle(AddressVector.to(target.gid())));
        return DcAddress.of(path, target.number(), DcAccessKey.of(KEY));
    }

    private DcInitiator initiator() {
        DcInitiator initiator = made(left.domain().createQp(QpDescription.dc()));
        await(initiator.open(RcConnection.DEFAULT));
        return initiator;
    }

    private void dynamic() {
        DcAddress to = target();
        succeeds(initiator().submit(to, write()));
    }

    private void pool() {
        DcAddress to = target();
        DciPool pool = await(DciPool.create(
                left.domain(),
                DciPoolDescription.DEFAULT
                        .withInitiators(3)
                        .withInitiatorDescription(
                                QpDescription.dc().withSendCq(cq).withCapacity(QpCapacity.of(8)))));
        given.push(pool::closeAsync);
        succeeds(pool.submit(to, write()));
    }

    private void poolOfOthers() {
        DcAddress to = target();
        DciPool pool = DciPool.of(List.of(initiator()), DciPoolDescription.DEFAULT.withInitiators(1));
        given.push(pool::closeAsync);
        succeeds(pool.submit(to, write()));
    }

    private void tagQueue() {
        made(left.domain().createSrq(SrqDescription.DEFAULT.withTagMatching(TagMatching.of(cq))));
    }

    private void fetchingTagQueue() {
        made(left.domain()
                .createSrq(SrqDescription.DEFAULT.withTagMatching(
                        TagMatching.of(cq).withDcRendezvous(RcConnection.DEFAULT.withRnrRetry(3)))));
    }

    private TagEndpoint endpoint(Side of) {
        TagEndpoint endpoint = await(TagEndpoint.open(of.domain(), TERMS));
        given.push(endpoint::closeAsync);
        return endpoint;
    }

    private void endpoint() {
        TagEndpoint endpoint = endpoint(left);
        TagPeer peer = await(endpoint.addPeer());
        given.push(peer::closeAsync);
        await(endpoint.addPeer());
    }

    private void messages(int length) {
        TagEndpoint from = endpoint(left);
        TagEndpoint into = endpoint(right);
        TagPeer here = await(from.addPeer());
        TagPeer there = await(into.addPeer());
        await(there.connect(here.gid(), here.number(), RcConnection.DEFAULT));
        await(here.connect(there.gid(), there.number(), RcConnection.DEFAULT));
        TagReceive expected = into.receive(7, TagBuffer.of(right.region(), 0, length));
        both(here.send(7, TagBuffer.of(left.region(), 0, length)), expected.arrival());
        CompletionStage<Void> second = here.send(8, TagBuffer.of(left.region(), 0, length));
        world.settle();
        both(second, into.receive(8, TagBuffer.of(right.region(), 0, length)).arrival());
    }

    /** Fails as soon as one stage fails, since the other may never complete. */
    private void both(CompletionStage<?> one, CompletionStage<?> other) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        CompletableFuture.allOf(one.toCompletableFuture(), other.toCompletableFuture())
                .thenAccept(done -> end.complete(null));
        Stream.of(one, other)
                .forEach(each -> each.exceptionally(reason -> {
                    end.completeExceptionally(reason);
                    return null;
                }));
        await(end);
    }
}
