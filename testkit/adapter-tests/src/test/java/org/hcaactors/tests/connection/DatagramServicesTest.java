// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.lab.fault.PacketMatch.packet;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.ConnectionException;
import org.hcaactors.api.connection.DatagramAddress;
import org.hcaactors.api.connection.ServedPort;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.mad.CmAttribute;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DatagramServicesTest {
    private static final int PORT = 5353;
    private static final QKey QKEY = QKey.of(0x1234);
    private static final InetSocketAddress SERVICE = InetSocketAddress.createUnresolved("server", PORT);

    private final World world = World.of(3);
    private final Host client = new Host("client");
    private final Host server = new Host("server");

    private final class Host {
        final DeviceContext context;
        final ProtectionDomain domain;
        final MemoryRegion region;
        final CompletionQueue receives;
        final UdQueuePair queuePair;

        Host(String name) {
            context = world.adapter(name).process("app").open();
            domain = context.allocatePd();
            region = world.await(
                    domain.register(world.adapter(name).process("app").allocate(4096), Access.LOCAL_WRITE));
            receives = world.await(context.createCq(16));
            queuePair = world.await(domain.createQp(QpDescription.ud().withRecvCq(receives)));
            world.await(queuePair.activate(QKEY));
        }
    }

    @AfterEach
    void close() {
        world.close();
    }

    private ServedPort serving() {
        return world.await(server.context.serveDatagrams(PORT, server.queuePair, QKEY));
    }

    // rule cm-services
    @Test
    void aClientFindsTheQueuePairAndSends() {
        serving();
        server.queuePair.postReceive(Receive.of(1, server.region.slice(0, 128)));
        DatagramAddress found = world.await(client.context.resolveDatagrams(SERVICE));
        var path = world.await(client.domain.createAddressHandle(AddressVector.to(found.gid())));
        WorkCompletion sent =
                world.await(client.queuePair.submit(found.by(path), Send.of(2, client.region.slice(0, 64))));
        world.settle();

        assertThat(found)
                .isEqualTo(new DatagramAddress(server.context.adapter().gid(), server.queuePair.number(), QKEY));
        assertThat(sent.isSuccess()).isTrue();
        world.runFor(Duration.ofMillis(1));
        assertThat(world.await(server.receives.poll(1))).hasSize(1);
    }

    @Test
    void nothingIsServedAtAnotherPort() {
        assertThatThrownBy(() -> world.await(client.context.resolveDatagrams(SERVICE)))
                .isInstanceOfSatisfying(
                        ConnectionException.class,
                        refused -> assertThat(refused.findErrno()).isEqualTo(Optional.of(Errno.ECONNREFUSED)))
                .hasMessageContaining("nothing of this kind is served at the port");
    }

    @Test
    void aLostReplyIsAskedForAgain() {
        serving();
        world.faults().on(packet().cm(CmAttribute.SIDR_REP)).first().drop();

        assertThat(world.await(client.context.resolveDatagrams(SERVICE)).qpNumber())
                .isEqualTo(server.queuePair.number());
    }

    @Test
    void aServiceThatIsClosedIsNotFound() {
        ServedPort service = serving();
        assertThatThrownBy(this::serving).isInstanceOf(VerbsException.class).hasMessageContaining("EADDRINUSE");
        assertThat(server.context.openObjects().leaks())
                .anyMatch(leak -> leak.description().equals("queue pair for datagrams served at port 5353"));
        world.await(service.closeAsync());

        assertThatThrownBy(() -> world.await(client.context.resolveDatagrams(SERVICE)))
                .isInstanceOf(ConnectionException.class);
    }
}
