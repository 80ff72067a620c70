// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.dc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.lab.fault.PacketMatch.packet;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.connection.ConnectionException;
import org.hcaactors.api.connection.DcTargetLocation;
import org.hcaactors.api.connection.ServedPort;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.mad.CmAttribute;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A DC target is found at a port of its adapter. */
class DcTargetByPortTest {
    private static final int PORT = 7471;
    private static final InetSocketAddress SERVICE = InetSocketAddress.createUnresolved("server", PORT);

    private final World world = World.of(31);
    private final DcSetup setup = new DcSetup(world);
    private final DcSetup.TargetSide server = setup.asked(world.adapter("server"));
    private final DcSetup.InitiatorSide client = setup.initiator(world.adapter("client"));

    @AfterEach
    void close() {
        world.close();
    }

    private ServedPort serve() {
        return world.await(server.context.serveDcTarget(PORT, server.target));
    }

    private void isRefused(Errno errno, String words) {
        assertThatThrownBy(() -> world.await(client.context.resolveDcTarget(SERVICE), Duration.ofMinutes(3)))
                .isInstanceOfSatisfying(
                        ConnectionException.class,
                        refused -> assertThat(refused.findErrno()).isEqualTo(Optional.of(errno)))
                .hasMessageContaining(words);
    }

    // rule cm-services
    @Test
    void anInitiatorFindsTheTargetAndSends() {
        ServedPort served = serve();
        server.receive(1, 64);
        DcTargetLocation found = world.await(client.context.resolveDcTarget(SERVICE));
        var path = world.await(client.domain.createAddressHandle(AddressVector.to(found.gid())));

        assertThat(found)
                .isEqualTo(
                        new DcTargetLocation(server.target.gid(), server.target.number(), DcAccessKey.of(DcSetup.KEY)));
        assertThat(client.submit(found.by(path), Send.of(2, client.slice(0, 64)))
                        .isSuccess())
                .isTrue();
        assertThat(server.polled().isSuccess()).isTrue();
        assertThat(served.address().getPort()).isEqualTo(PORT);
    }

    @Test
    void anAnswerThatIsLostIsAskedForAgain() {
        serve();
        world.faults().on(packet().cm(CmAttribute.SIDR_REP)).first().drop();

        assertThat(world.await(client.context.resolveDcTarget(SERVICE)).dctNumber())
                .isEqualTo(server.target.number());
    }

    @Test
    void aPortIsOneOfDatagramsOrOfADcTarget() {
        serve();

        assertThatThrownBy(() -> world.await(client.context.resolveDatagrams(SERVICE)))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("nothing of this kind is served at the port");
    }

    @Test
    void aServerThatIsSilentTimesOut() {
        serve();
        world.faults().on(packet().cm(CmAttribute.SIDR_REQ)).drop();

        isRefused(Errno.ETIMEDOUT, "no peer answered");
    }

    @Test
    void aPortThatWasClosedIsNotFound() {
        ServedPort served = serve();
        assertThatThrownBy(this::serve).isInstanceOf(VerbsException.class).hasMessageContaining("EADDRINUSE");
        assertThat(server.context.openObjects().leaks())
                .anyMatch(leak -> leak.description().equals("DC target served at port 7471"));
        world.await(served.closeAsync());

        isRefused(Errno.ECONNREFUSED, "nothing of this kind");
    }

    @Test
    void aTargetThatWasNeverInRtrIsRefused() {
        DcTarget closed = world.await(server.domain.createDcTarget(
                DcTargetDescription.of(server.completions, server.queue, DcAccessKey.of(1))));

        assertThatThrownBy(() -> world.await(server.context.serveDcTarget(PORT, closed)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("EINVAL");
        assertThatThrownBy(() -> world.await(client.context.serveDcTarget(PORT, server.target)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("EINVAL");
        assertThatThrownBy(() -> world.await(server.context.serveDcTarget(0, server.target)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("EINVAL");
    }
}
