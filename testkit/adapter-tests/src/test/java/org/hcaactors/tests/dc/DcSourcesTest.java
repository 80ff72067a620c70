// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.dc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.hcaactors.adapter.flow.DependencyFailure;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.DcStreams;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Removed GID table entries, and links with a smaller MTU, under DC targets and initiators. */
class DcSourcesTest {
    private static final Gid SECOND = Gid.ofIpv4(192, 168, 7, 10);
    private static final LinkProperties WIDE = new LinkProperties(1000, 100_000_000_000L, 9000, 1 << 20);
    private static final LinkProperties NARROW = new LinkProperties(1000, 100_000_000_000L, 1500, 1 << 20);
    private static final RcConnection TERMS =
            RcConnection.DEFAULT.withTimeoutCode(8).withRetryCount(2);

    private final World world = World.of(37);
    private final DcSetup ground = new DcSetup(world);
    private final Adapter a = world.network().addAdapter("a", Profile.CONNECTX_6, WIDE);
    private final Adapter b = world.network().addAdapter("b", Profile.CONNECTX_6, WIDE);
    private final Gid firstOfA = a.gid();
    private final Gid firstOfB = b.gid();

    @AfterEach
    void close() {
        world.close();
    }

    private void setGids(Adapter of, Gid... gids) {
        world.network().setGidTable(of, List.of(gids));
        world.settle();
    }

    /** Returns a target that answers from the second entry of its port's table. */
    private DcSetup.TargetSide answeringFromTheSecond(PathMtu mtu) {
        setGids(b, firstOfB, SECOND);
        DcSetup.TargetSide asked = ground.new TargetSide(b, attributes -> attributes);
        world.await(asked.target.modify(TERMS.toInit()));
        world.await(asked.target.modify(QpModify.to(
                QpState.RTR,
                new QpAttribute.MinRnrTimer(12),
                new QpAttribute.Av(AddressVector.to(GlobalRoute.to(firstOfB).withSourceGidIndex(1))),
                new QpAttribute.Mtu(mtu))));
        return asked;
    }

    private DcSetup.InitiatorSide initiator(QpDescription<DcInitiator> description) {
        return ground.initiator(a, description, TERMS);
    }

    private void again(DcSetup.InitiatorSide initiator) {
        world.await(initiator.initiator.modify(QpModify.to(QpState.RESET)));
        world.await(initiator.initiator.open(TERMS));
    }

    /** Returns an address from the entry of that index of the initiator's port. */
    private DcAddress along(DcSetup.InitiatorSide initiator, DcSetup.TargetSide asked, int sourceIndex) {
        return to(initiator, asked, GlobalRoute.to(firstOfB).withSourceGidIndex(sourceIndex), DcSetup.KEY);
    }

    private DcAddress toTheSecond(DcSetup.InitiatorSide initiator, DcSetup.TargetSide asked) {
        return to(initiator, asked, GlobalRoute.to(SECOND), DcSetup.KEY);
    }

    private DcAddress to(DcSetup.InitiatorSide initiator, DcSetup.TargetSide asked, GlobalRoute route, long key) {
        return DcAddress.of(
                world.await(initiator.domain.createAddressHandle(AddressVector.to(route))),
                asked.target.number(),
                DcAccessKey.of(key));
    }

    private Status write(DcSetup.InitiatorSide initiator, DcAddress to, DcSetup.TargetSide asked) {
        return initiator
                .submit(to, RdmaWrite.of(1, initiator.slice(0, 64), asked.remote(0)))
                .status();
    }

    private List<HcaEvent> crashes() {
        List<HcaEvent> crashes = new ArrayList<>();
        world.trace().events().forEach(event -> {
            if (event instanceof HcaEvent.Raised raised && raised.reason() == DependencyFailure.ITS_ACTOR) {
                crashes.add(raised);
            }
        });
        return crashes;
    }

    // rules qp-source-by-index, dc-responder
    @Test
    void aConnectWithoutASourceAddressBlocksNoInitiator() {
        DcSetup.TargetSide asked = answeringFromTheSecond(PathMtu.BYTES_1024);
        DcSetup.InitiatorSide initiator = initiator(QpDescription.dc());
        DcAddress to = toTheSecond(initiator, asked);
        setGids(b, SECOND);
        assertThat(write(initiator, to, asked)).isEqualTo(Status.RETRY_EXC_ERR);
        setGids(b, firstOfB, SECOND);
        again(initiator);
        assertThat(write(initiator, to, asked)).isEqualTo(Status.SUCCESS);
        assertThat(crashes()).isEmpty();
    }

    // rules qp-source-by-index, dc-responder
    @Test
    void anAnswerWithoutASourceAddressIsSentWhenItHasOne() {
        DcSetup.TargetSide asked = answeringFromTheSecond(PathMtu.BYTES_1024);
        DcSetup.InitiatorSide initiator = initiator(QpDescription.dc());
        setGids(b, SECOND);
        var stage = initiator.initiator.submit(
                toTheSecond(initiator, asked), RdmaWrite.of(1, initiator.slice(0, 64), asked.remote(0)));
        world.runFor(Duration.ofMillis(1));
        setGids(b, firstOfB, SECOND);
        assertThat(world.await(stage).status()).isEqualTo(Status.SUCCESS);
    }

    // rules qp-source-by-index, dc-key
    @Test
    void aWrongKeyDoesNotChangeATargetWithoutASourceAddress() {
        DcSetup.TargetSide asked = answeringFromTheSecond(PathMtu.BYTES_1024);
        DcSetup.InitiatorSide initiator = initiator(QpDescription.dc());
        setGids(b, SECOND);
        assertThat(write(initiator, to(initiator, asked, GlobalRoute.to(SECOND), DcSetup.KEY + 1), asked))
                .isEqualTo(Status.RETRY_EXC_ERR);
        assertThat(crashes()).isEmpty();
        assertThat(asked.target.state()).isEqualTo(QpState.RTR);
        setGids(b, firstOfB, SECOND);
        again(initiator);
        assertThat(write(initiator, toTheSecond(initiator, asked), asked)).isEqualTo(Status.SUCCESS);
    }

    // rules qp-source-by-index, dc-drain
    @Test
    void aDrainingTargetNeedsNoSourceAddress() {
        DcSetup.TargetSide asked = answeringFromTheSecond(PathMtu.BYTES_1024);
        DcSetup.InitiatorSide served = initiator(QpDescription.dc());
        assertThat(write(served, toTheSecond(served, asked), asked)).isEqualTo(Status.SUCCESS);
        DcSetup.InitiatorSide initiator = initiator(QpDescription.dc());
        DcAddress to = toTheSecond(initiator, asked);
        setGids(b, SECOND);
        var gone = asked.target.destroy();
        initiator.initiator.submit(to, RdmaWrite.of(1, initiator.slice(0, 64), asked.remote(0)));
        world.await(gone);
        assertThat(crashes()).isEmpty();
    }

    // rules wire-port-mtu, dc-responder
    @Test
    void aTargetOnANarrowedLinkServesNewPeers() {
        DcSetup.TargetSide asked = answeringFromTheSecond(PathMtu.BYTES_4096);
        world.network().setLink(b, NARROW);
        DcSetup.InitiatorSide initiator = initiator(QpDescription.dc());
        assertThat(write(initiator, toTheSecond(initiator, asked), asked)).isEqualTo(Status.SUCCESS);
    }

    // rule qp-source-by-index
    @Test
    void anInitiatorWithARemovedGidEntryLosesPacketsOnly() {
        setGids(a, firstOfA, SECOND);
        DcSetup.TargetSide asked = ground.asked(b);
        DcSetup.InitiatorSide initiator = initiator(QpDescription.dc());
        DcAddress to = along(initiator, asked, 1);
        setGids(a, firstOfA);
        assertThat(write(initiator, to, asked)).isEqualTo(Status.RETRY_EXC_ERR);
        assertThat(crashes()).isEmpty();
        assertThat(world.trace().events())
                .anyMatch(event -> event instanceof FabricEvent.Dropped dropped
                        && dropped.reason().contains("no source address"));
        setGids(a, firstOfA, SECOND);
        again(initiator);
        assertThat(write(initiator, to, asked)).isEqualTo(Status.SUCCESS);
    }

    // rules qp-source-by-index, dc-stream-error
    @Test
    void onlyTheStreamOfARemovedGidEntryFails() {
        setGids(a, firstOfA, SECOND);
        DcSetup.TargetSide asked = ground.asked(b);
        DcSetup.InitiatorSide initiator = initiator(QpDescription.dc().withStreams(new DcStreams(1, 2)));
        DcAddress gone = along(initiator, asked, 1);
        DcAddress there = along(initiator, asked, 0);
        setGids(a, firstOfA);
        List<Status> ends = IntStream.of(0, 2, 1)
                .mapToObj(stream -> initiator.initiator.submit(
                        stream == 0 ? gone : there, stream, RdmaWrite.of(1, initiator.slice(0, 64), asked.remote(0))))
                .toList()
                .stream()
                .map(stage -> world.await(stage).status())
                .toList();
        assertThat(ends).containsExactly(Status.RETRY_EXC_ERR, Status.SUCCESS, Status.SUCCESS);
        assertThat(initiator.initiator.state()).isEqualTo(QpState.RTS);
    }
}
