// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.hcaactors.api.capability.PlatformCapabilities;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Waiter;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.network.RdmaNetwork;

/** Messages one by one, which a program waits for in one of several ways. */
final class WakeLoop implements AutoCloseable {
    private static final int BYTES = 64;

    /** One in this many sends is signaled; its completion also frees the slots of those before it. */
    private static final int SIGNALED = 32;

    private final RdmaNetwork network = RdmaNetwork.start();
    private final QpPair<RcQueuePair> pair;
    private final MemoryRegion from;
    private final MemoryRegion into;
    private final Waiter waiter;
    private final CompletionQueue inbox;
    private long sent;

    WakeLoop() {
        Profile profile =
                Profile.CONNECTX_5.with(PlatformCapabilities.NONE.with(PlatformCapabilities.Feature.AS_NOTIFY));
        HostProcess alice = network.addAdapter("alice", Profile.CONNECTX_5).process("app");
        HostProcess bob = network.addAdapter("bob", profile).process("app");
        ProtectionDomain a = alice.open().allocatePd();
        ProtectionDomain b = bob.open().allocatePd();
        from = network.await(a.register(alice.allocate(BYTES), Access.LOCAL_WRITE));
        into = network.await(b.register(bob.allocate(BYTES), Access.LOCAL_WRITE));
        waiter = network.await(bob.startWaiter());
        inbox = network.await(b.context().createCq(CqDescription.of(127).withWaiter(waiter)));
        pair = network.await(
                QpPair.connectRc(a, QpDescription.rc(), b, QpDescription.rc().withRecvCq(inbox)));
        pair.local().sendCq().completions().subscribe(Subscribers.forEach(completion -> {}));
    }

    private void send() {
        pair.remote().postReceive(Receive.of(1, into.slice(0, BYTES)));
        Send message = Send.of(1, from.slice(0, BYTES));
        pair.local().post(++sent % SIGNALED == 0 ? message.withSignaled() : message);
    }

    private List<WorkCompletion> poll() {
        return ended(inbox.poll(1).toCompletableFuture());
    }

    private static <T> T ended(CompletableFuture<T> stage) {
        return stage.join();
    }

    /** Arms, sleeps, is woken, polls. */
    void woken() {
        inbox.arm(CompletionQueue.Arm.ANY);
        if (!poll().isEmpty()) {
            throw new IllegalStateException("a completion arrived before its message was sent");
        }
        CompletableFuture<?> sleeping = waiter.await().toCompletableFuture();
        send();
        ended(sleeping);
        if (poll().isEmpty()) {
            throw new IllegalStateException("the thread was woken, but the queue has no completion");
        }
    }

    /** Polls until it arrives. */
    void polled() {
        send();
        while (poll().isEmpty()) {
            Thread.onSpinWait();
        }
    }

    /** Lets a thread sleep for that long without a message. The measuring thread sleeps too, to use no CPU of its own. */
    void idleAsleep(long nanos) throws InterruptedException {
        inbox.arm(CompletionQueue.Arm.ANY);
        poll();
        CompletableFuture<?> sleeping = waiter.await().toCompletableFuture();
        Thread.sleep(nanos / 1_000_000);
        send();
        ended(sleeping);
        poll();
    }

    /** Polls for that long without a message. */
    void idlePolling(long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) {
            poll();
        }
        polled();
    }

    @Override
    public void close() {
        network.close();
    }
}
