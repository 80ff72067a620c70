package org.hcaactors.adapter.device;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.memory.HostBuffers;
import org.hcaactors.adapter.memory.Pin;
import org.hcaactors.adapter.queue.DatagramPath;
import org.hcaactors.adapter.queue.PathHandle;
import org.hcaactors.adapter.srq.SharedReceiveHandle;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.capability.SharedReceiveCapabilities;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqCapacity;
import org.hcaactors.api.queue.SrqDescription;

/** A protection domain. */
final class DomainHandle implements ProtectionDomain {
    private final int number;
    private final ContextHandle context;
    private final QueuePairFactory factory;

    DomainHandle(int number, ContextHandle context) {
        this.number = number;
        this.context = context;
        factory = new QueuePairFactory(number, context);
    }

    @Override
    public DeviceContext context() {
        return context;
    }

    @Override
    public CompletionStage<MemoryRegion> register(Registration wanted) {
        return context.creating(number, () -> {
            HostBuffers own = context.processHandle().space().own(wanted.memory());
            check(own, wanted);
            AccessFlags rights = wanted.rights();
            long lengthBytes = wanted.lengthBytes();
            long address = own.address() + wanted.offset();
            Pin pin = own.pin();
            return context.adapterHandle()
                    .door()
                    .<Integer>ask(reply -> new AdapterActor.Register(
                            context.processHandle().name(), number, own, address, lengthBytes, rights, reply))
                    .whenComplete((key, refused) -> {
                        if (refused != null) {
                            pin.release();
                        }
                    })
                    .thenApply(key -> {
                        RegionHandle region = new RegionHandle(key, address, lengthBytes, rights, own, this, pin);
                        pin.heldBy(region);
                        context.open().add(region, OpenObjects.Kind.REGION, number);
                        return region;
                    });
        });
    }

    // rule memory-rights
    private static void check(HostBuffers memory, Registration wanted) {
        long offset = wanted.offset();
        long lengthBytes = wanted.lengthBytes();
        if (offset < 0 || lengthBytes < 0 || lengthBytes > memory.lengthBytes() - offset) {
            throw VerbsException.invalid(
                    "offset " + offset + ", " + lengthBytes + " bytes; the memory has " + memory.lengthBytes());
        }
        if (!wanted.rights().isConsistentForRegistration()) {
            throw VerbsException.invalid(wanted.rights() + ": REMOTE_WRITE and REMOTE_ATOMIC require LOCAL_WRITE");
        }
    }

    @Override
    public <Q extends QueuePair> CompletionStage<Q> createQp(QpDescription<Q> wanted) {
        return factory.create(wanted);
    }

    @Override
    public CompletionStage<SharedReceiveQueue> createSrq(SrqDescription wanted) {
        SharedReceiveCapabilities most = context.adapter().profile().sharedReceives();
        return context.creating(number, () -> {
            SrqCapacity checked = SrqCapacity.of(QueuePairFactory.within("maxWr", wanted.maxWr(), 1, most.maxWr()))
                    .withMaxSge(QueuePairFactory.within("maxSge", wanted.maxSge(), 0, most.maxSge()));
            return context.adapterHandle()
                    .door()
                    .<SharedReceiveHandle>ask(reply -> new AdapterActor.CreateSrq(number, checked, context, reply))
                    .thenApply(srq -> context.track(srq, OpenObjects.Kind.SHARED_RECEIVE_QUEUE, number));
        });
    }

    @Override
    public CompletionStage<AddressHandle> createAddressHandle(AddressVector vector) {
        return context.creating(number, () -> {
            DatagramPath path =
                    DatagramPath.of(vector, number, context.adapterHandle().localPort());
            PathHandle handle = new PathHandle(path, gone -> context.open().remove(gone));
            context.open().add(handle, OpenObjects.Kind.ADDRESS_HANDLE, number);
            return CompletableFuture.completedStage(handle);
        });
    }

    CompletionStage<Void> deregister(RegionHandle region) {
        return context.adapterHandle()
                .door()
                .<Void>ask(reply -> new AdapterActor.Deregister(region.key(), reply))
                .thenRun(() -> {
                    context.open().remove(region);
                    region.pin().release();
                });
    }

    void promised(Object verb, CompletableFuture<Void> end) {
        context.adapterHandle().door().promised(verb, end);
    }

    void await(CompletionStage<Void> end) {
        context.adapterHandle().door().await(end);
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        try {
            context.open().removeDomain(this, number);
            return CompletableFuture.completedStage(null);
        } catch (VerbsException busy) {
            return CompletableFuture.failedStage(busy);
        }
    }

    @Override
    public void close() {
        await(closeAsync());
    }

    @Override
    public String describe() {
        return "protection domain " + number;
    }
}
