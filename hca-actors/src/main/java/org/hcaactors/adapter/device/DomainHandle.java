package org.hcaactors.adapter.device;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.completion.CompletionQueueHandle;
import org.hcaactors.adapter.memory.HostBuffers;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.ProtectionDomain;
import org.hcaactors.api.queue.RcBuilder;
import org.hcaactors.api.queue.RcCapacity;
import org.hcaactors.api.queue.RcQueuePair;

/** A protection domain. */
final class DomainHandle implements ProtectionDomain {
    private final int number;
    private final ContextHandle context;

    DomainHandle(int number, ContextHandle context) {
        this.number = number;
        this.context = context;
    }

    @Override
    public DeviceContext context() {
        return context;
    }

    @Override
    public CompletionStage<MemoryRegion> register(HostMemory memory, Access... rights) {
        return register(memory, 0, memory.lengthBytes(), AccessFlags.of(rights));
    }

    @Override
    public CompletionStage<MemoryRegion> register(
            HostMemory memory, long offset, long lengthBytes, AccessFlags rights) {
        try {
            HostBuffers own = context.processHandle().space().own(memory);
            check(own, offset, lengthBytes, rights);
            long address = own.address() + offset;
            Reply<Integer> reply = context.reply();
            context.adapterHandle()
                    .actor()
                    .tell(new AdapterActor.Register(number, own, address, lengthBytes, rights, reply));
            return reply.stage().thenApply(key -> new RegionHandle(key, address, lengthBytes, rights, memory, this));
        } catch (VerbsException refused) {
            return CompletableFuture.failedStage(refused);
        }
    }

    private static void check(HostBuffers memory, long offset, long lengthBytes, AccessFlags rights) {
        if (offset < 0 || lengthBytes <= 0 || lengthBytes > memory.lengthBytes() - offset) {
            throw VerbsException.invalid("offset " + offset + ", " + lengthBytes + " bytes; the memory has "
                    + memory.lengthBytes() + ", and a region has at least 1");
        }
        if (!rights.isConsistentForRegistration()) {
            throw VerbsException.invalid(rights + ": REMOTE_WRITE and REMOTE_ATOMIC require LOCAL_WRITE");
        }
    }

    @Override
    public RcBuilder rc() {
        return new RcBuilder(this, Optional.empty(), Optional.empty(), RcCapacity.DEFAULT, false, this::create);
    }

    private CompletionStage<RcQueuePair> create(RcBuilder wanted) {
        try {
            RcCapacity capacity = rounded(wanted.capacity());
            int own = Math.min(
                    capacity.maxSendWr() + capacity.maxRecvWr(),
                    context.adapter().profile().limits().maxCqe());
            CompletionStage<CompletionQueue> send = wanted.sendQueue()
                    .<CompletionStage<CompletionQueue>>map(CompletableFuture::completedStage)
                    .orElseGet(() -> context.createCq(own));
            return send.thenCompose(queue -> create(wanted, capacity, queue));
        } catch (VerbsException refused) {
            return CompletableFuture.failedStage(refused);
        }
    }

    private CompletionStage<RcQueuePair> create(RcBuilder wanted, RcCapacity capacity, CompletionQueue send) {
        CompletionQueue receive = wanted.receiveQueue().orElse(send);
        if (!(send instanceof CompletionQueueHandle sendCq)
                || !(receive instanceof CompletionQueueHandle recvCq)
                || !sendCq.adapter().equals(context.adapter().name())
                || !recvCq.adapter().equals(context.adapter().name())) {
            return CompletableFuture.failedStage(VerbsException.invalid(
                    "a completion queue of another adapter; " + context.adapter() + " uses its own"));
        }
        Reply<RcQueuePair> reply = context.reply();
        context.adapterHandle()
                .actor()
                .tell(new AdapterActor.CreateRc(
                        number,
                        capacity,
                        wanted.signalAll(),
                        sendCq,
                        recvCq,
                        context.processHandle().space(),
                        context::raise,
                        reply));
        return reply.stage();
    }

    /** Queue lengths are powers of two, as mlx5 makes them. */
    private RcCapacity rounded(RcCapacity wanted) {
        Profile.Limits limits = context.adapter().profile().limits();
        return new RcCapacity(
                powerOfTwo("maxSendWr", wanted.maxSendWr(), limits.maxQpWr()),
                powerOfTwo("maxRecvWr", wanted.maxRecvWr(), limits.maxQpWr()),
                within("maxSendSge", wanted.maxSendSge(), 0, limits.maxSge()),
                within("maxRecvSge", wanted.maxRecvSge(), 0, limits.maxSge()),
                within("maxInlineBytes", wanted.maxInlineBytes(), 0, limits.maxInlineBytes()));
    }

    private static int powerOfTwo(String what, int wanted, int most) {
        within(what, wanted, 1, most);
        int floor = Integer.highestOneBit(wanted);
        return floor == wanted ? floor : floor << 1;
    }

    private static int within(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw VerbsException.invalid(what + " is " + value + "; " + least + " to " + most + " is allowed");
        }
        return value;
    }

    CompletionStage<Void> deregister(int key) {
        Reply<Void> reply = context.reply();
        context.adapterHandle().actor().tell(new AdapterActor.Deregister(key, reply));
        return reply.stage();
    }
}
