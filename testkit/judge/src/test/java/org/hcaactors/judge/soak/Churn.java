// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CompletionReader;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Waiter;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Credentials;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.firmware.Restart;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.IndirectKeyDescription;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.Permission;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
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
import org.hcaactors.api.queue.XrcDomain;
import org.hcaactors.api.queue.XrcDomainDescription;
import org.hcaactors.api.queue.XrcTarget;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.SendFlags;
import org.hcaactors.client.messages.TagBuffer;
import org.hcaactors.client.messages.TagEndpoint;
import org.hcaactors.client.messages.TagEndpointDescription;
import org.hcaactors.client.messages.TagPeer;
import org.hcaactors.client.messages.TagReceive;
import org.hcaactors.client.pool.DciPool;
import org.hcaactors.client.pool.DciPoolDescription;
import org.hcaactors.lab.pair.Side;

/** One cycle of each kind of object: created, used, and closed, between two permanent ends. */
final class Churn {
    private static final int BYTES = 64 << 10;
    private static final long KEY = 0x5EED;
    // rule dc-reclaim
    /** An initiator that finds no responder idle for long enough retries after its timeout: 4 ms instead of the usual 67. */
    private static final RcConnection SOON = RcConnection.DEFAULT.withTimeoutCode(10);

    private static final TagEndpointDescription TERMS = TagEndpointDescription.DEFAULT
            .withMaxEagerBytes(1024)
            .withMaxListed(4)
            .withMaxUnexpected(4);

    private final HostedNetwork host;
    private final Side left;
    private final Side right;
    private final CompletionQueue cq;
    private final CompletionQueue far;
    private final SharedReceiveQueue srq;
    private final QpPair<RcQueuePair> pair;
    private final DcTarget target;
    private final DcTarget other;
    private final DcInitiator initiator;
    private final DcAddress toTarget;
    private final DcAddress toOther;
    /** Region of the left end for binding windows. */
    private final MemoryRegion bindable;

    /** Domain of a process that may register physical memory. */
    private final ProtectionDomain root;

    private final AtomicLong processes = new AtomicLong();

    Churn(HostedNetwork host) {
        this.host = host;
        left = Side.of(host.network(), host.a(), "left", BYTES);
        right = Side.of(host.network(), host.b(), "right", BYTES);
        cq = made(left.context().createCq(255));
        far = made(right.context().createCq(255));
        srq = made(right.domain().createSrq(SrqDescription.DEFAULT));
        pair = made(QpPair.connectRc(
                left.domain(),
                QpDescription.rc().withSendCq(cq),
                right.domain(),
                QpDescription.rc().withSendCq(far)));
        target = target();
        other = target();
        toTarget = to(target);
        toOther = to(other);
        initiator = initiator();
        bindable = made(left.domain()
                .register(Registration.of(left.memory())
                        .withAccess(AccessFlags.of(
                                Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.MW_BIND))));
        root = host.a().process("root", Credentials.ROOT).open().allocatePd();
        left.context().asyncEvents().subscribe(Subscribers.forEach(event -> {}, reason -> {}));
        root.context().asyncEvents().subscribe(Subscribers.forEach(event -> {}, reason -> {}));
        right.context().asyncEvents().subscribe(Subscribers.forEach(event -> {}, reason -> {}));
    }

    /** Returns the cycles by name. */
    Map<String, Runnable> kinds() {
        Map<String, Runnable> all = new LinkedHashMap<>();
        all.put("region", () -> closed(left.domain().register(whole(left))));
        all.put(
                "region on demand",
                () -> closed(left.domain().register(whole(left).withOnDemandPaging())));
        all.put("region whose pages are brought", this::broughtRegion);
        all.put(
                "region of all addresses",
                () -> closed(left.domain()
                        .register(Registration.wholeAddressSpace()
                                .withOnDemandPaging()
                                .withAccess(AccessFlags.LOCAL_AND_REMOTE))));
        all.put("allocated region", () -> closed(left.domain().register(Registration.allocated(4096))));
        all.put("shared region", this::sharedRegion);
        all.put("region registered anew", this::registeredAnew);
        all.put("physical region", () -> closed(root.register(Registration.physical())));
        all.put("null region", () -> closed(left.domain().allocateNullMr()));
        all.put("window of type 1", this::windowOfType1);
        all.put("window of type 2", this::windowOfType2);
        all.put("indirect key", () -> closed(left.domain().createIndirectKey(IndirectKeyDescription.of(4))));
        all.put("key list", () -> closed(left.domain().allocateKeyList(4)));
        all.put("memory", () -> await(left.context().process().allocate(4096).closeAsync()));
        all.put("session", this::session);
        all.put("initiator", () -> asked(initiator()));
        all.put("target", () -> close(target()));
        all.put("pool", this::pool);
        all.put("tag endpoint", this::endpoints);
        all.put("waiter", this::waiter);
        all.put("subscription", this::subscription);
        all.put("reader", this::reader);
        all.put("channel", () -> closed(left.context().createChannel()));
        all.put("completion queue", () -> closed(left.context().createCq(15)));
        all.put("RC pair", this::reliable);
        all.put("UC", () -> closed(left.domain().createQp(QpDescription.uc().withSendCq(cq))));
        all.put("UD", () -> closed(left.domain().createQp(QpDescription.ud().withSendCq(cq))));
        all.put("XRC", this::xrc);
        all.put("SRQ", () -> closed(left.domain().createSrq(SrqDescription.DEFAULT)));
        all.put(
                "tag SRQ",
                () -> closed(left.domain().createSrq(SrqDescription.DEFAULT.withTagMatching(TagMatching.of(cq)))));
        all.put("address handle", () -> closed(left.domain().createAddressHandle(AddressVector.to(far()))));
        all.put("process", this::process);
        all.put("restart", () -> await(host.a().firmware().restart(Restart.POWER_CYCLE)));
        return all;
    }

    private void broughtRegion() {
        MemoryRegion region = made(right.domain().register(whole(right).withOnDemandPaging()));
        succeeds(pair.local().submit(RdmaWrite.of(1, left.slice(0, 64), region.remote(0))));
        close(region);
    }

    private void sharedRegion() {
        MemoryRegion shown = made(left.domain()
                .register(Registration.allocated(4096)
                        .withSharing(Permission.OTHER_READ)
                        .withAccess(Access.LOCAL_WRITE)));
        closed(root.registerShared(shown.handle(), AccessFlags.of(Access.REMOTE_READ)));
        close(shown);
    }

    private void registeredAnew() {
        MemoryRegion region = made(left.domain().register(whole(left)));
        await(region.reregister(Reregistration.of(Reregistration.Change.TRANSLATION)
                .withTranslation(whole(left).withOnDemandPaging())));
        close(region);
    }

    private Gid far() {
        return pair.remote().gid();
    }

    private static Registration whole(Side side) {
        return Registration.of(side.memory()).withAccess(AccessFlags.LOCAL_AND_REMOTE);
    }

    private <T> T await(CompletionStage<T> stage) {
        return host.network().await(stage);
    }

    private <T> T made(CompletionStage<T> stage) {
        return await(stage);
    }

    private void close(Handle handle) {
        await(handle.closeAsync());
    }

    private void closed(CompletionStage<? extends Handle> creation) {
        close(await(creation));
    }

    private void succeeds(CompletionStage<WorkCompletion> stage) {
        WorkCompletion completion = await(stage);
        WorkerEnvironment.check(completion.isSuccess(), "a request should succeed, and ended as " + completion);
    }

    private RdmaWrite write() {
        return RdmaWrite.of(1, left.slice(0, 64), right.remote(0)).withSignaled();
    }

    private DcTarget target() {
        DcTarget opened = made(right.domain().createDcTarget(DcTargetDescription.of(far, srq, DcAccessKey.of(KEY))));
        await(opened.open(SOON));
        return opened;
    }

    private DcInitiator initiator() {
        DcInitiator opened = made(left.domain().createQp(QpDescription.dc().withSendCq(cq)));
        await(opened.open(SOON));
        return opened;
    }

    private DcAddress to(DcTarget there) {
        AddressHandle path = made(left.domain().createAddressHandle(AddressVector.to(there.gid())));
        return DcAddress.of(path, there.number(), DcAccessKey.of(KEY));
    }

    private void asked(DcInitiator one) {
        succeeds(one.submit(toTarget, write()));
        close(one);
    }

    /** Sends one request to each of two targets. */
    private void session() {
        succeeds(initiator.submit(toTarget, write()));
        succeeds(initiator.submit(toOther, write()));
    }

    private void pool() {
        DciPool pool = await(DciPool.create(
                left.domain(),
                DciPoolDescription.DEFAULT
                        .withInitiators(2)
                        .withAttributes(SOON)
                        .withInitiatorDescription(
                                QpDescription.dc().withSendCq(cq).withCapacity(QpCapacity.of(8)))));
        succeeds(pool.submit(toTarget, write()));
        await(pool.closeAsync());
    }

    private void endpoints() {
        TagEndpoint from = await(TagEndpoint.open(left.domain(), TERMS));
        TagEndpoint into = await(TagEndpoint.open(right.domain(), TERMS));
        TagPeer here = await(from.addPeer());
        TagPeer there = await(into.addPeer());
        await(there.connect(here.gid(), here.number(), SOON));
        await(here.connect(there.gid(), there.number(), SOON));
        TagReceive receive = into.receive(7, TagBuffer.of(right.region(), 0, 64));
        await(here.send(7, TagBuffer.of(left.region(), 0, 64)));
        await(receive.arrival());
        await(from.closeAsync());
        await(into.closeAsync());
    }

    private void windowOfType1() {
        MemoryWindow window = made(left.domain().allocateWindow(WindowType.TYPE_1));
        pair.local().bind(1, window, binding(), SendFlags.NONE);
        succeeds(pair.local().submit(write()));
        await(window.deallocate());
    }

    private void windowOfType2() {
        MemoryWindow window = made(left.domain().allocateWindow(WindowType.TYPE_2));
        succeeds(pair.local().submit(BindWindow.of(1, window, binding())));
        succeeds(pair.local().submit(LocalInvalidate.of(2, window.rkey())));
        await(window.deallocate());
    }

    private WindowBinding binding() {
        return WindowBinding.of(bindable).withAccess(Access.REMOTE_WRITE);
    }

    private void waiter() {
        Waiter waiter = made(left.context().process().startWaiter());
        await(waiter.end());
        close(waiter);
    }

    private void subscription() {
        CompletionQueue own = made(left.context().createCq(15));
        own.completions().subscribe(Subscribers.forEach(completion -> {}, reason -> {}));
        close(own);
    }

    private void reader() {
        CompletionQueue own = made(left.context().createCq(CqDescription.of(15)));
        CompletionReader reader = own.forEachCompletion(batch -> {});
        reader.close();
        close(own);
    }

    private void reliable() {
        QpPair<RcQueuePair> own = await(QpPair.connectRc(
                left.domain(),
                QpDescription.rc().withSendCq(cq),
                right.domain(),
                QpDescription.rc().withSendCq(far)));
        succeeds(own.local().submit(write()));
        close(own.local());
        close(own.remote());
    }

    private void xrc() {
        XrcDomain domain = made(right.context().openXrcDomain(XrcDomainDescription.unnamed()));
        SharedReceiveQueue queue = made(right.domain().createSrq(SrqDescription.DEFAULT.withXrc(domain, far)));
        XrcTarget target = made(domain.createTarget());
        var initiator = made(left.domain().createQp(QpDescription.xrc().withSendCq(cq)));
        await(target.connect(initiator.gid(), initiator.number(), RcConnection.DEFAULT));
        await(initiator.connect(target.gid(), target.number(), RcConnection.DEFAULT));
        close(initiator);
        await(target.destroy());
        close(queue);
        close(domain);
    }

    private void process() {
        HostProcess process = host.a().process("brief-" + processes.incrementAndGet());
        ProtectionDomain domain = process.open().allocatePd();
        HostMemory memory = process.allocate(4096);
        MemoryRegion region = made(domain.register(Registration.of(memory)));
        WorkerEnvironment.check(region.lengthBytes() == 4096, "a region should be as long as its memory");
        await(process.exit());
    }

    List<String> actors() {
        return host.actors();
    }
}
