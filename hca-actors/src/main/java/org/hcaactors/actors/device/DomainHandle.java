// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.hcaactors.actors.completion.CompletionQueueHandle;
import org.hcaactors.actors.indirect.IndirectKeyBlueprint;
import org.hcaactors.actors.indirect.KeyListMemoryHandle;
import org.hcaactors.actors.queue.PathHandle;
import org.hcaactors.actors.region.PrefetchAdvice;
import org.hcaactors.actors.region.RegionBlueprint;
import org.hcaactors.actors.srq.SharedReceiveBlueprint;
import org.hcaactors.actors.srq.XrcSrqAttributes;
import org.hcaactors.actors.window.WindowBlueprint;
import org.hcaactors.actors.xrc.SharedDomain;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.service.ObjectLimits;
import org.hcaactors.adapter.stage.StageOutcome;
import org.hcaactors.adapter.work.DatagramPath;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.IndirectKeyDescription;
import org.hcaactors.api.memory.KeyListMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.Prefetch;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;

/** Handle of a protection domain. */
final class DomainHandle implements ProtectionDomain {
    private final int number;
    private final ContextHandle context;
    private final QueuePairFactory factory;

    DomainHandle(int number, ContextHandle context) {
        this.number = number;
        this.context = context;
        factory = new QueuePairFactory(number, context);
    }

    int number() {
        return number;
    }

    @Override
    public DeviceContext context() {
        return context;
    }

    @Override
    public CompletionStage<MemoryRegion> register(Registration requested) {
        return context.creating(
                Verb.REG_MR,
                number,
                () -> RegionBlueprint.counted(
                        context.register(number, RegionBlueprint.of(requested, number, context))));
    }

    @Override
    public CompletionStage<MemoryWindow> allocateWindow(WindowType type) {
        return context.creating(
                Verb.ALLOC_MW,
                number,
                () -> context.register(
                        number, WindowBlueprint.of(type, context.processName(), number, context.profile())));
    }

    @Override
    public CompletionStage<IndirectKey> createIndirectKey(IndirectKeyDescription requested) {
        return context.creating(
                Verb.CREATE_MKEY,
                number,
                () -> context.register(
                        number, IndirectKeyBlueprint.of(requested, context.profile(), context.processName(), number)));
    }

    @Override
    public CompletionStage<KeyListMemory> allocateKeyList(int entries) {
        return context.creating(Verb.ALLOC_MKEY_LIST, number, () -> {
            KeyListMemoryHandle list = KeyListMemoryHandle.of(entries, context.profile(), context.open()::remove);
            context.open().add(list, ObjectKind.KEY_LIST, number);
            return CompletableFuture.completedStage(list);
        });
    }

    @Override
    public CompletionStage<MemoryRegion> registerShared(int handle, AccessFlags rights) {
        return context.creating(
                Verb.REG_MR,
                number,
                () -> context.register(number, RegionBlueprint.shared(handle, rights, number, context)));
    }

    @Override
    public CompletionStage<MemoryRegion> allocateNullMr() {
        return context.creating(
                Verb.REG_MR, number, () -> context.register(number, RegionBlueprint.ofNullRegion(number, context)));
    }

    @Override
    public CompletionStage<Void> advise(Prefetch requested) {
        return context.creating(Verb.ADVISE_MR, number, () -> {
            List<Handle> keys = Stream.of(ObjectKind.REGION, ObjectKind.WINDOW, ObjectKind.INDIRECT_KEY)
                    .flatMap(kind -> context.open().of(kind).stream())
                    .toList();
            return new PrefetchAdvice(number, keys, context).advise(requested);
        });
    }

    @Override
    public <Q extends QueuePair> CompletionStage<Q> createQp(QpDescription<Q> requested) {
        return factory.create(requested);
    }

    @Override
    public <Q extends SharedReceiveQueue> CompletionStage<Q> createSrq(SrqDescription<Q> requested) {
        return context.creating(Verb.CREATE_SRQ, number, () -> make(requested).thenApply(requested.kind()::cast));
    }

    // rule tag-srq
    private CompletionStage<? extends SharedReceiveQueue> make(SrqDescription<?> requested) {
        if (requested.tagMatching().isPresent()) {
            return new TagQueueFactory(number, context, factory.memory())
                    .create(requested, requested.tagMatching().get());
        }
        return requested.xrc().map(xrc -> makeNamed(requested, xrc)).orElseGet(() -> make(blueprint(requested)));
    }

    // rule xrc-srq
    private CompletionStage<SharedReceiveQueue> makeNamed(SrqDescription<?> requested, SrqDescription.Xrc xrc) {
        SharedDomain among = context.require(xrc.domain(), XrcDomainHandle.class, "XRC domain")
                .domain();
        XrcSrqAttributes attributes =
                new XrcSrqAttributes(among, context.require(xrc.cq(), CompletionQueueHandle.class, "completion queue"));
        return among.making(() -> make(blueprint(requested).withKind(attributes)));
    }

    // rules dc-supported, dc-target-queues
    @Override
    public CompletionStage<DcTarget> createDcTarget(DcTargetDescription requested) {
        return context.creating(Verb.CREATE_QP, number, () -> factory.createTarget(requested));
    }

    private SharedReceiveBlueprint blueprint(SrqDescription<?> requested) {
        return SharedReceiveBlueprint.of(
                requested,
                number,
                context.pages(),
                context,
                context.profile(),
                context.services().shards());
    }

    private CompletionStage<SharedReceiveQueue> make(SharedReceiveBlueprint blueprint) {
        return StageOutcome.undone(context.makeCounted(blueprint), blueprint::refused)
                .thenApply(srq -> context.track(srq, ObjectKind.SHARED_RECEIVE_QUEUE, number));
    }

    @Override
    public CompletionStage<AddressHandle> createAddressHandle(AddressVector vector) {
        return context.creating(Verb.CREATE_AH, number, () -> {
            DatagramPath path =
                    DatagramPath.of(vector, number, context.adapter().localPort());
            ObjectLimits limits = context.services().limits();
            limits.take(ObjectKind.ADDRESS_HANDLE);
            PathHandle handle = new PathHandle(path, context.verbs(), closed -> {
                if (context.open().remove(closed)) {
                    limits.free(ObjectKind.ADDRESS_HANDLE);
                }
            });
            context.open().add(handle, ObjectKind.ADDRESS_HANDLE, number);
            return CompletableFuture.completedStage(handle);
        });
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        try {
            if (context.open().contains(this)) {
                context.verbs().check(Verb.DEALLOC_PD, this);
            }
            if (context.open().removeDomain(this, number)) {
                context.services().limits().free(ObjectKind.DOMAIN);
            }
            return CompletableFuture.completedStage(null);
        } catch (VerbsException busy) {
            return CompletableFuture.failedStage(busy);
        }
    }

    @Override
    public void close() {
        context.commandSender().await(closeAsync());
    }

    @Override
    public String describe() {
        return "protection domain " + number;
    }

    @Override
    public String toString() {
        return describe() + " of " + context.adapter().name();
    }
}
