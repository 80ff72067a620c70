// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.UcConnection;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Effects of a link's MTU on its port and on the port's users. */
class LinkMtuTest {
    private static final LinkProperties NARROW = new LinkProperties(1000, 0, 1500, 1 << 20);
    private static final RcConnection WIDE =
            RcConnection.DEFAULT.withMtu(PathMtu.BYTES_4096).withTimeoutCode(8).withRetryCount(2);

    private final World world = World.of(9);

    @AfterEach
    void close() {
        world.close();
    }

    private Adapter adapter(String name, LinkProperties link) {
        return world.network().addAdapter(name, Profile.CONNECTX_5, link);
    }

    private ConnectedPair connect(Adapter a, Adapter b, RcConnection attributes) {
        return world.connect(a, b, Shape.DEFAULT.with(attributes));
    }

    // rule wire-port-mtu
    @ParameterizedTest
    @CsvSource({"9000, 4096", "4200, 4096", "4191, 2048", "1500, 1024", "1119, 512", "352, 256", "100, 256"})
    void theActiveMtuIsTheLargestThatFitsTheLink(int link, int mtu) {
        Adapter a = adapter("a", new LinkProperties(0, 0, link, 1 << 20));
        assertThat(a.port(1).activeMtu().bytes()).isEqualTo(mtu);
        assertThat(a.port(1).maxMtu()).isEqualTo(PathMtu.BYTES_4096);
    }

    // rule qp-attribute-values
    @Test
    void aPathMtuAboveTheActiveOneIsRefused() {
        Adapter a = adapter("a", NARROW);
        Adapter b = adapter("b", World.DEFAULT_LINK);
        refused(() -> connect(a, b, WIDE));
        refused(() -> world.await(QpPair.connectUc(
                a.process("app").open().allocatePd(),
                b.process("app").open().allocatePd(),
                UcConnection.DEFAULT.withMtu(PathMtu.BYTES_2048))));
        connect(a, b, RcConnection.DEFAULT);
    }

    private static void refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContaining("PATH_MTU")
                .hasMessageContaining("256 to 1024 is allowed");
    }

    @Test
    void aLinkSetRightAfterItsAdapterWasAddedApplies() {
        Adapter a = adapter("a", LinkProperties.IDEAL);
        world.network().setLink(a, LinkProperties.of(7_000_000, 0));
        ConnectedPair pair = world.connect(a, adapter("b", LinkProperties.IDEAL));
        long before = world.now();
        world.await(pair.a()
                .qp()
                .submit(RdmaWrite.of(1, pair.a().slice(0, 8), pair.b().remote(0))));
        assertThat(world.now() - before).isEqualTo(7_000_000);
    }

    @Test
    void aConnectionsLongPacketsAreDroppedAtANarrowerLink() {
        Adapter a = adapter("a", World.DEFAULT_LINK);
        Adapter b = adapter("b", World.DEFAULT_LINK);
        ConnectedPair pair = connect(a, b, WIDE);
        List<AsyncEvent> events = new ArrayList<>();
        pair.b().context().asyncEvents().subscribe(Subscribers.forEach(events::add));
        world.network().setLink(b, NARROW);
        assertThat(b.port(1).activeMtu()).isEqualTo(PathMtu.BYTES_1024);
        assertThat(write(pair, 1024).status()).as("short packets pass").isEqualTo(Status.SUCCESS);
        WorkCompletion lost = write(pair, 4096);
        assertThat(lost.status()).isEqualTo(Status.RETRY_EXC_ERR);
        assertThat(world.explain(lost).root()).contains("larger than the receiver's link MTU of 1500 bytes");
        assertThat(events).as("no adapter tells of it").isEmpty();
        world.network().setLink(b, World.DEFAULT_LINK);
        assertThat(write(connect(a, b, WIDE), 4096).status()).isEqualTo(Status.SUCCESS);
    }

    private WorkCompletion write(ConnectedPair pair, int bytes) {
        return world.await(pair.a()
                .qp()
                .submit(RdmaWrite.of(1, pair.a().slice(0, bytes), pair.b().remote(0))));
    }

    // rule ud-one-packet
    @Test
    void aDatagramIsBoundedByTheActiveMtu() {
        Adapter a = adapter("a", World.DEFAULT_LINK);
        var process = a.process("app");
        var domain = process.open().allocatePd();
        var region = world.await(domain.register(process.allocate(8192)));
        UdQueuePair qp = world.await(domain.createQp(QpDescription.ud()));
        world.await(qp.activate(QKey.of(1)));
        UdAddress to = UdAddress.of(
                world.await(domain.createAddressHandle(AddressVector.to(a.gid()))), qp.number(), QKey.of(1));
        assertThat(world.await(qp.submit(to, Send.of(1, region.slice(0, 4096)))).status())
                .isEqualTo(Status.SUCCESS);
        world.network().setLink(a, NARROW);
        assertThat(world.await(qp.submit(to, Send.of(2, region.slice(0, 1025)))).status())
                .isEqualTo(Status.LOC_LEN_ERR);
    }
}
