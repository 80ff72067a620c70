// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.work.RdmaWrite;

/**
 * Creates an object while another that it depends on is destroyed: one of the two is refused, and a created object can be used
 * and destroyed.
 */
final class CreationRound implements Round {
    private static final int TRIES = 4;

    @Override
    public void play(WorkerEnvironment environment) {
        try (SoakContext left = environment.left()) {
            for (int i = 0; i < TRIES; i++) {
                onAQueueThatGoes(environment, left);
                inMemoryThatGoes(environment, left);
                inAContextThatCloses(environment, left);
            }
        }
        inAProcessThatExits(environment);
    }

    private static void onAQueueThatGoes(WorkerEnvironment environment, SoakContext left) {
        CompletionQueue cq = left.made(left.context.createCq(15));
        SharedReceiveQueue srq = left.made(left.domain.createSrq(SrqDescription.DEFAULT));
        boolean queueGoes = environment.random().nextBoolean();
        List<Handle> made = new ArrayList<>();
        List<Handle> destroyed = new ArrayList<>();
        Race race = new Race(environment);
        race.verb(
                "creating a queue pair on queues that are destroyed",
                () -> left.domain.createQp(
                        left.described(QpDescription.rc()).withSendCq(cq).withSrq(srq)),
                made::add);
        race.verb(
                "destroying a queue during a creation",
                () -> queueGoes ? cq.destroy() : srq.destroy(),
                done -> destroyed.add(queueGoes ? cq : srq));
        race.run();
        WorkerEnvironment.check(
                made.isEmpty() || destroyed.isEmpty(),
                "either the creation or the destruction must be refused, but both succeeded: " + made + " on "
                        + destroyed);
        for (Handle each : made) {
            if (each instanceof RcQueuePair qp) {
                use(environment, left, qp);
                environment.await(qp.closeAsync());
            }
        }
        left.close(srq);
        left.close(cq);
    }

    /** Uses the queue pair in ERR, where it accepts requests and flushes them (IBA 10.3.1): this needs no peer. */
    private static void use(WorkerEnvironment environment, SoakContext left, RcQueuePair qp) {
        environment.await(qp.connect(left.adapter.gid(), qp.number(), RcConnection.DEFAULT));
        environment.await(qp.modify(QpModify.to(QpState.ERR)));
        environment.ends(qp.submit(RdmaWrite.of(1, left.slice(0, 8), left.remote(8))), Status.WR_FLUSH_ERR);
    }

    private static void inMemoryThatGoes(WorkerEnvironment environment, SoakContext left) {
        HostMemory memory = left.process.allocate(4096);
        List<MemoryRegion> made = new ArrayList<>();
        List<Handle> unmapped = new ArrayList<>();
        Race race = new Race(environment);
        race.verb("registering", () -> left.domain.register(memory, Access.LOCAL_WRITE), made::add);
        race.verb("unmapping", memory::closeAsync, done -> unmapped.add(memory));
        race.run();
        WorkerEnvironment.check(
                made.isEmpty() || memory.isMapped(),
                "memory with a region must stay mapped, but it was unmapped under " + made);
        for (MemoryRegion each : made) {
            environment.await(each.deregister());
        }
        environment.await(memory.closeAsync());
    }

    private static void inAContextThatCloses(WorkerEnvironment environment, SoakContext left) {
        DeviceContext context = left.process.open();
        creatingWhile(environment, context, left.adapter, "closing", context::closeAsync);
    }

    private static void inAProcessThatExits(WorkerEnvironment environment) {
        Adapter adapter = environment.a();
        HostProcess process =
                adapter.process("brief-" + environment.tally().processes.incrementAndGet());
        DeviceContext context = process.open();
        creatingWhile(environment, context, adapter, "exit", process::exit);
        for (int i = 0; i < 2; i++) {
            try {
                process.allocate(64);
                throw new IllegalStateException(
                        "a process that has exited must be refused memory, but the allocation succeeded");
            } catch (VerbsException refused) {
                // As it must be.
            }
        }
    }

    private static void creatingWhile(
            WorkerEnvironment environment,
            DeviceContext context,
            Adapter adapter,
            String end,
            Supplier<CompletionStage<?>> closing) {
        ProtectionDomain domain = context.allocatePd();
        CompletionQueue cq = environment.await(context.createCq(15));
        HostMemory memory = context.process().allocate(256);
        ConcurrentLinkedQueue<Handle> made = new ConcurrentLinkedQueue<>();
        Race race = new Race(environment);
        race.verb("creating a queue", () -> context.createCq(7), made::add);
        race.verb("creating a channel", context::createChannel, made::add);
        race.verb("creating shared receives", () -> domain.createSrq(SrqDescription.DEFAULT), made::add);
        race.verb(
                "creating a queue pair",
                () -> domain.createQp(QpDescription.rc().withSendCq(cq)),
                made::add);
        race.verb(
                "creating a datagram queue pair",
                () -> domain.createQp(QpDescription.ud().withSendCq(cq)),
                made::add);
        race.verb("registering", () -> domain.register(memory, Access.LOCAL_WRITE), made::add);
        race.verb(
                "creating an address handle",
                () -> domain.createAddressHandle(AddressVector.to(adapter.gid())),
                made::add);
        race.verb(end, closing::get, done -> {});
        race.run();
        environment.tally().objects.add(made.size());
        WorkerEnvironment.check(
                context.openObjects().isEmpty(),
                "after the " + end + " of its context there must be no open objects; open: " + context.openObjects());
        for (Handle each : made) {
            environment.await(each.closeAsync());
        }
    }
}
