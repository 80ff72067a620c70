// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.actors.log.Logging;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionListener;
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
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.XrcDomain;
import org.hcaactors.api.queue.XrcDomainDescription;
import org.hcaactors.api.queue.XrcQueuePair;
import org.hcaactors.api.queue.XrcTarget;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.pair.XrcEnd;
import org.hcaactors.network.RdmaNetwork;

/** Heap per idle object of a kind: the increase of the collected heap after many of them were created. */
final class IdleHeap {
    private static final int MANY = 4000;
    private static final int COLLECTIONS = 5;
    private static final int BYTES = 64;
    private static final long ACCESS_KEY = 0xDC;
    private static final int PORT = 7174;
    private static final int BACKLOG = 64;

    /** The longest idle time: longer than the measurement. */
    private static final Profile STAYS_CONNECTED =
            Profile.CONNECTX_5.with(Profile.CONNECTX_5.dynamicallyConnected().withIdleNanos(60_000_000_000L));

    private IdleHeap() {}

    static void print() {
        System.out.printf("%n%-32s %10s%n", "idle", "bytes");
        Logging.start();
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
            RcQueuePair filler = network.await(
                            QpPair.connectRc(domain, QpDescription.rc().withKeyFilling(), domain, QpDescription.rc()))
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
                    n -> network.await(QpPair.connectRc(
                            domain,
                            QpDescription.rc().withSendCq(cq),
                            domain,
                            QpDescription.rc().withSendCq(cq))));
            XrcDomain shared = network.await(domain.context().openXrcDomain(XrcDomainDescription.unnamed()));
            report("connected XRC queue pair", 2 * MANY, n -> xrc(network, domain, cq, shared));
        }
        try (RdmaNetwork network = RdmaNetwork.start()) {
            dynamicallyConnected(network);
        }
        try (RdmaNetwork network = RdmaNetwork.start()) {
            connections(network);
        }
    }

    /** Reports listeners, and connections made by communication management, both ends together. */
    private static void connections(RdmaNetwork network) {
        ProtectionDomain client = network.addAdapter("alice", Profile.CONNECTX_5)
                .process("app")
                .open()
                .allocatePd();
        ProtectionDomain server = network.addAdapter("bob", Profile.CONNECTX_5)
                .process("app")
                .open()
                .allocatePd();
        report("listener", MANY, n -> network.await(client.context().listen(PORT + n, BACKLOG)));
        ConnectionListener listener = network.await(server.context().listen(PORT, BACKLOG));
        InetSocketAddress to = listener.address();
        ConnectionDescription active = sharingCq(network, client);
        ConnectionDescription passive = sharingCq(network, server);
        report("pair of connections", MANY, n -> {
            CompletionStage<Connection> accepted = listener.next().thenCompose(request -> request.accept(passive));
            return List.of(network.await(client.context().connect(to, active)), network.await(accepted));
        });
    }

    /** Describes an end whose queue pair shares its queue of sends' completions with all others, as in the other rows. */
    private static ConnectionDescription sharingCq(RdmaNetwork network, ProtectionDomain domain) {
        CompletionQueue cq = network.await(domain.context().createCq(1024));
        return ConnectionDescription.of(domain).withQp(QpDescription.rc().withSendCq(cq));
    }

    /** Creates both ends of an XRC connection. */
    private static List<Object> xrc(
            RdmaNetwork network, ProtectionDomain domain, CompletionQueue cq, XrcDomain shared) {
        XrcQueuePair initiator =
                network.await(domain.createQp(QpDescription.xrc().withSendCq(cq)));
        XrcTarget target = network.await(shared.createTarget());
        XrcEnd.connect(network, initiator, target, RcConnection.DEFAULT);
        return List.of(initiator, target);
    }

    private static void dynamicallyConnected(RdmaNetwork network) {
        Side client = Side.of(network, network.addAdapter("alice", STAYS_CONNECTED), "app", BYTES);
        Side server = Side.of(network, network.addAdapter("bob", Profile.CONNECTX_5), "app", BYTES);
        CompletionQueue cq = network.await(client.context().createCq(1024));
        CompletionQueue messages = network.await(server.context().createCq(1024));
        SharedReceiveQueue receives = network.await(server.domain().createSrq(SrqDescription.DEFAULT));
        List<DcInitiator> initiators = new ArrayList<>(MANY + 1);
        List<DcTarget> targets = new ArrayList<>(MANY + 1);
        report("DC initiator", MANY, n -> {
            DcInitiator made =
                    network.await(client.domain().createQp(QpDescription.dc().withSendCq(cq)));
            network.await(made.open(RcConnection.DEFAULT));
            initiators.add(made);
            return made;
        });
        report("DC target", MANY, n -> {
            DcTarget made = network.await(server.domain()
                    .createDcTarget(DcTargetDescription.of(messages, receives, DcAccessKey.of(ACCESS_KEY))));
            network.await(made.open(RcConnection.DEFAULT));
            targets.add(made);
            return made;
        });
        firstRequests(network, client, server, cq);
        sessions(network, client, server, initiators, targets.get(0));
    }

    private static RdmaWrite write(Side from, Side to) {
        return RdmaWrite.of(1, from.slice(0, BYTES), to.remote(0));
    }

    /** Reports the state that queue pairs allocate on first use, at both ends, over RC; a DC initiator has the same. */
    private static void firstRequests(RdmaNetwork network, Side client, Side server, CompletionQueue cq) {
        List<RcQueuePair> ask = new ArrayList<>(MANY + 1);
        for (int i = 0; i <= MANY; i++) {
            ask.add(network.await(QpPair.connectRc(
                            client.domain(), QpDescription.rc().withSendCq(cq), server.domain(), QpDescription.rc()))
                    .local());
        }
        RdmaWrite write = write(client, server);
        report(
                "first WRITE over RC",
                MANY,
                n -> network.await(ask.get(n + 1).submit(write)).status());
    }

    /**
     * Reports a DC initiator that connected with its first WRITE and stays connected; and the part that belongs to the target:
     * the responder and its knowledge of the peer.
     */
    private static void sessions(
            RdmaNetwork network, Side client, Side server, List<DcInitiator> initiators, DcTarget target) {
        RdmaWrite write = write(client, server);
        AddressHandle path = network.await(client.domain().createAddressHandle(AddressVector.to(target.gid())));
        DcAddress to = DcAddress.of(path, target.number(), DcAccessKey.of(ACCESS_KEY));
        report(
                "first WRITE over DC, its session",
                MANY,
                n -> network.await(initiators.get(n + 1).submit(to, write)).status());
        int sessions = network.await(target.status()).sessions();
        if (sessions != initiators.size()) {
            throw new IllegalStateException(
                    "%d sessions are open, which is not the number of initiators".formatted(sessions));
        }
        long open = used();
        network.await(target.destroy());
        print("part of its responder", (open - used()) / sessions);
    }

    private static void print(String kind, long bytes) {
        System.out.printf("%-32s %10d%n", kind, bytes);
    }

    /**
     * Measures and prints a kind.
     *
     * @param objects number of objects that {@value #MANY} calls create
     */
    private static void report(String kind, int objects, IntFunction<Object> create) {
        List<Object> held = new ArrayList<>(MANY);
        held.add(create.apply(-1));
        long before = used();
        for (int i = 0; i < MANY; i++) {
            held.add(create.apply(i));
        }
        long after = used();
        print(kind, (after - before - 4L * MANY) / objects);
        if (held.size() != MANY + 1) {
            throw new IllegalStateException("the objects were collected before they were measured");
        }
    }

    private static long used() {
        long min = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            min = Math.min(
                    min,
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return min;
    }
}
