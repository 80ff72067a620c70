// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.setup;

import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.capability.PlatformCapabilities;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Waiter;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.world.World;

/** A receiving end whose completion queue wakes a thread, and a peer that sends to it. */
public final class NotifySetup {
    public static final Profile PROFILE =
            Profile.CONNECTX_5.with(PlatformCapabilities.NONE.with(PlatformCapabilities.Feature.AS_NOTIFY));

    private final World world;
    private final ProtectionDomain sending;
    public final Adapter b;
    public final HostProcess process;
    public final DeviceContext context;
    public final CompletionChannel channel;
    public final Waiter waiter;
    public final Inbox inbox;

    public NotifySetup(World world) {
        this(world, PROFILE);
    }

    public NotifySetup(World world, Profile profile) {
        this.world = world;
        Adapter a = world.network().addAdapter("a", Profile.CONNECTX_5);
        sending = a.process("app").open().allocatePd();
        b = world.network().addAdapter("b", profile);
        process = b.process("app");
        context = process.open();
        channel = world.await(context.createChannel());
        waiter = world.await(process.startWaiter());
        inbox = inbox(CqDescription.of(127).withChannel(channel).withWaiter(waiter));
    }

    public Inbox inbox(CqDescription description) {
        return new Inbox(description);
    }

    /** A completion queue of b, and the sender into it. */
    public final class Inbox {
        public final CompletionQueue cq;
        public final QpPair<RcQueuePair> pair;
        private final MemoryRegion from;

        private Inbox(CqDescription description) {
            cq = world.await(context.createCq(description));
            ProtectionDomain receiving = context.allocatePd();
            from = world.await(sending.register(sending.context().process().allocate(4096), Access.LOCAL_WRITE));
            MemoryRegion into = world.await(receiving.register(process.allocate(4096), Access.LOCAL_WRITE));
            pair = world.await(QpPair.connectRc(
                    sending, QpDescription.rc(), receiving, QpDescription.rc().withRecvCq(cq)));
            for (int i = 0; i < 20; i++) {
                pair.remote().postReceive(Receive.of(i, into.slice(0, 64)));
            }
        }

        public void arm() {
            cq.arm(CompletionQueue.Arm.ANY);
        }

        public void message() {
            message(Send.of(1, from.slice(0, 8)));
        }

        public void solicited() {
            message(Send.of(1, from.slice(0, 8)).withSolicited());
        }

        private void message(Send work) {
            world.await(pair.local().submit(work));
            world.settle();
        }

        public List<WorkCompletion> poll() {
            return world.await(cq.poll(100));
        }
    }

    public boolean isDone(CompletionStage<?> stage) {
        world.settle();
        return stage.toCompletableFuture().isDone();
    }

    public long counter(String name) {
        world.settle();
        return b.counters().getOrDefault(name, -1L);
    }

    /** Returns the errno of a failed stage. */
    public static Errno refusal(CompletionStage<?> stage) {
        try {
            stage.toCompletableFuture().getNow(null);
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof VerbsException refused) {
                return refused.errno();
            }
        }
        throw new AssertionError(stage + " was not refused");
    }
}
