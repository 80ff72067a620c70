// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.example;

import static org.hcaactors.api.memory.Access.LOCAL_WRITE;
import static org.hcaactors.api.memory.Access.REMOTE_READ;
import static org.hcaactors.api.memory.Access.REMOTE_WRITE;
import static org.hcaactors.lab.fault.PacketMatch.packet;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.world.World;
import org.hcaactors.network.RdmaNetwork;
import org.hcaactors.views.flow.Ladder;

/** The two examples of the README; a test compares them with the README's text. */
@SuppressWarnings("MultiVariableDeclaration") // two short lines of a kind read better as one in the README
final class ReadmeExample {
    private ReadmeExample() {}

    static void service(Consumer<WorkCompletion> log) {
        // begin service
        try (RdmaNetwork network = RdmaNetwork.start()) {
            DeviceContext app = network.addAdapter("alice", Profile.CONNECTX_5)
                    .process("app")
                    .open();
            DeviceContext store = network.addAdapter("bob", Profile.CONNECTX_5)
                    .process("store")
                    .open();
            ProtectionDomain pdA = app.allocatePd(), pdB = store.allocatePd();
            MemoryRegion from = network.await(pdA.register(app.process().allocate(4096), LOCAL_WRITE));
            MemoryRegion into =
                    network.await(pdB.register(store.process().allocate(4096), LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ));

            ByteBuffer where = ByteBuffer.allocate(12)
                    .putInt(into.rkey())
                    .putLong(into.address())
                    .flip();
            ConnectionListener listener = network.await(store.listen(7174, 8)); // as rdma_listen
            listener.requests()
                    .subscribe(Subscribers.forEach(request ->
                            request.accept(ConnectionDescription.of(pdB).withPrivateData(where))));

            CompletionQueue cq = network.await(app.createCq(256));
            Connection connection = network.await(app.connect(
                    InetSocketAddress.createUnresolved("bob", 7174), // the name of an adapter, or an IP address
                    ConnectionDescription.of(pdA).withQp(QpDescription.rc().withSendCq(cq))));
            cq.completions().subscribe(Subscribers.forEach(log)); // demand polls the queue
            ByteBuffer data = connection.privateData();
            RemoteAddress there = new RemoteAddress(data.getInt(), data.getLong());

            connection.qp().post(RdmaWrite.of(1, from.slice(0, 64), there).withSignaled());
            WorkCompletion read = network.await(connection.qp().submit(RdmaRead.of(2, from.slice(64, 64), there)));
            if (read.status() != Status.SUCCESS) {
                throw new IllegalStateException("the read ended with " + read.status());
            }
        }
        // end service
    }

    static void broken() {
        // begin broken
        try (World world = World.of(42)) { // seed 42: the same run every time
            Adapter a = world.adapter("a"), b = world.adapter("b"); // on links of 1 us and 100 Gbit/s
            ConnectedPair pair = world.connect(a, b);
            world.faults().on(packet().ack().from(b)).first().drop();

            WorkCompletion done = world.await(pair.a()
                    .qp()
                    .submit(RdmaWrite.of(1, pair.a().slice(0, 512), pair.b().remote(0))));
            if (!done.isSuccess()) { // virtual time: the retransmission timer costs nothing
                throw new AssertionError(done);
            }
            Ladder.of(world.trace().events()).forEach(System.out::println);
        }
        // end broken
    }
}
