// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.IndirectKeyDescription;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.queue.RcPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.network.RdmaNetwork;

/** Heap for one idle object of a kind: what a collected heap holds more after many of them were created. */
final class IdleHeap {
    private static final int MANY = 4000;
    private static final int COLLECTIONS = 5;

    private IdleHeap() {}

    static void print() {
        System.out.printf("%n%-32s %10s%n", "idle", "bytes");
        ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "idle");
        report(
                "bare actor",
                MANY,
                n -> system.systemActorOf(
                        Behaviors.receiveMessage(message -> Behaviors.same()),
                        "idle-" + n,
                        org.apache.pekko.actor.typed.Props.empty()));
        system.terminate();
        try (RdmaNetwork network = RdmaNetwork.start()) {
            HostProcess app = network.addAdapter("alice", Profile.CONNECTX_5).process("app");
            ProtectionDomain domain = app.open().allocatePd();
            CompletionQueue cq = network.await(domain.context().createCq(1024));
            HostMemory memory = app.allocate(4096);
            report(
                    "completion queue of 1024",
                    MANY,
                    n -> network.await(domain.context().createCq(1024)));
            report("memory region", MANY, n -> network.await(domain.register(memory, Access.LOCAL_WRITE)));
            RcQueuePair filler = network.await(RcPair.connect(domain.rc().fillingKeys(), domain.rc()))
                    .local();
            MemoryRegion region = network.await(domain.register(memory, Access.LOCAL_WRITE));
            KeyLayout layout = KeyLayout.list(Collections.nCopies(4, region.slice(0, 64)));
            report("memory window", MANY, n -> network.await(domain.allocateWindow(WindowType.TYPE_1)));
            report("indirect key of 4 slices", MANY, n -> {
                IndirectKey key = network.await(domain.createIndirectKey(IndirectKeyDescription.of(4)));
                network.await(filler.submit(FillKey.of(n, key, layout)));
                return key;
            });
            report(
                    "connected RC queue pair",
                    2 * MANY,
                    n -> network.await(
                            RcPair.connect(domain.rc().sendCq(cq), domain.rc().sendCq(cq))));
        }
    }

    /** @param objects that {@value #MANY} calls make */
    private static void report(String kind, int objects, IntFunction<Object> create) {
        List<Object> held = new ArrayList<>(MANY);
        held.add(create.apply(-1));
        long before = used();
        for (int i = 0; i < MANY; i++) {
            held.add(create.apply(i));
        }
        long after = used();
        System.out.printf("%-32s %10d%n", kind, (after - before - 4L * MANY) / objects);
        if (held.size() != MANY + 1) {
            throw new IllegalStateException("the objects went before they were counted");
        }
    }

    private static long used() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            least = Math.min(
                    least,
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return least;
    }
}
