// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.fabric.link.SwitchboardTest.Inbox;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Conditions for the direct path, and events that close it. */
class DirectPathTest {
    private static final PortAddress A = SwitchboardTest.A;
    private static final PortAddress B = SwitchboardTest.B;
    private static final PortAddress C = PortAddress.ofIpv4(0x0A000003);
    private static final LinkProperties SLOW = LinkProperties.of(0, 1_000_000_000);
    private static final Packet[] BETWEEN = {SwitchboardTest.packet(100, 8), SwitchboardTest.packet(101, 8, 19)};

    private final Inbox atA = new Inbox();
    private final Inbox atB = new Inbox();
    private final Endpoint a = new Endpoint(A, 17, atA);
    private final Endpoint b = new Endpoint(B, 18, atB);
    private final Endpoint c = new Endpoint(C, 20, new Inbox());
    private final Epoch epoch = new Epoch();
    private final Switchboard fabric = new Switchboard(FabricLimits.DEFAULT, TraceSink.NONE, thrown -> {}, epoch);

    @BeforeEach
    void cable() {
        fabric.port("a", A, LinkProperties.IDEAL);
        fabric.port("b", B, LinkProperties.IDEAL);
        fabric.port("c", C, SLOW);
        fabric.attach(a);
        fabric.attach(b);
        fabric.attach(c);
    }

    /** True if the batch took the direct path. */
    private boolean send(Packet... batch) {
        return sendFrom(a, batch);
    }

    private boolean sendFrom(Endpoint from, Packet... batch) {
        if (from.sendDirect(batch) != Endpoint.NOT_SENT) {
            return true;
        }
        from.batchQueued();
        fabric.transmit(from, batch, new long[0], 0);
        return false;
    }

    private boolean send(int psn) {
        return send(SwitchboardTest.packet(psn, 8));
    }

    private void open() {
        send(0);
        assertThat(send(1)).isTrue();
    }

    @Test
    void aForwardedTrainOpensTheDirectPath() {
        assertThat(send(SwitchboardTest.packet(1, 8))).isFalse();
        assertThat(send(SwitchboardTest.packet(2, 8), SwitchboardTest.packet(3, 8)))
                .isTrue();
        assertThat(atB.psns).containsExactly(1, 2, 3);
        assertThat(atB.trains).hasSize(2);
        assertThat(a.isKept()).isFalse();
    }

    @Test
    void theDirectPathNeitherTakesNorReturnsCredit() {
        open();
        for (int i = 0; i < Endpoint.INITIAL_CREDITS; i++) {
            send(i);
        }
        assertThat(a.unreportedCredits).isEqualTo(1);
        assertThat(atA.credits).isZero();
    }

    @ParameterizedTest
    @CsvSource({"3, 3, true", "3, 4, false", "-1, -1, false"})
    void onlyAPathOnOneShardIsDirectOnAShard(int from, int to, boolean expected) {
        Endpoint sender = new Endpoint(A, 21, new Inbox(), Element.queuePair(21), from);
        Endpoint receiver = new Endpoint(B, 22, new Inbox(), Element.queuePair(22), to);
        fabric.attach(sender);
        fabric.attach(receiver);
        assertThat(sender.isDirectOnShard()).as("no packet was sent").isFalse();
        sendFrom(sender, SwitchboardTest.packet(1, 8, 22));
        assertThat(sender.isDirectOnShard()).isEqualTo(expected);
        epoch.announce();
        assertThat(sender.isDirectOnShard()).as("a change is announced").isFalse();
    }

    @Test
    void theDirectPathIsForItsRouteQueuePairAndMtu() {
        fabric.port("a", A, new LinkProperties(0, 0, 1024, Long.MAX_VALUE));
        open();
        Packet other = SwitchboardTest.packet(2, 8);
        Route twin = other.route().withFlowLabel(0);
        assertThat(send(other.withRoute(twin))).isFalse();
        open();
        assertThat(send(SwitchboardTest.packet(3, 8), SwitchboardTest.packet(4, 8, 19)))
                .isFalse();
        open();
        assertThat(send(SwitchboardTest.packet(5, 2000))).isFalse();
        assertThat(atB.psns).doesNotContain(5);
    }

    @Test
    void noTrainOvertakesOneThatTheFabricHasNotCarried() {
        open();
        Packet[] first = {SwitchboardTest.packet(2, 8)};
        Packet[] second = {SwitchboardTest.packet(3, 8)};
        a.batchQueued();
        a.batchQueued();
        fabric.transmit(a, first, new long[0], 0);
        assertThat(a.sendDirect(new Packet[] {SwitchboardTest.packet(4, 8)})).isEqualTo(Endpoint.NOT_SENT);
        fabric.transmit(a, second, new long[0], 0);
        assertThat(send(4)).isTrue();
        assertThat(atB.psns).containsExactly(0, 1, 2, 3, 4);
    }

    static Stream<Named<Consumer<DirectPathTest>>> changes() {
        return Stream.of(
                Named.of("a tap", on -> on.fabric.tap(event -> {})),
                Named.of("an interceptor", on -> on.fabric.intercept(transit -> Verdict.PASS)),
                Named.of("another cable", on -> on.fabric.port("b", B, LinkProperties.IDEAL)),
                Named.of("a new port", on -> on.fabric.port("d", PortAddress.ofIpv4(9), LinkProperties.IDEAL)),
                Named.of("the sender's cable pulled", on -> on.fabric.plugged(A, false)),
                Named.of("the receiver's cable pulled", on -> on.fabric.plugged(B, false)),
                Named.of("other addresses", on -> on.fabric.addresses(B, List.of(C))),
                Named.of("the receiver gone", on -> on.fabric.detach(on.b)),
                Named.of("another of its number", on -> on.fabric.attach(new Endpoint(B, 18, new Inbox()))),
                Named.of("a stranger", on -> on.fabric.attach(new Endpoint(B, 77, new Inbox()))));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aChangeClosesTheDirectPath(Consumer<DirectPathTest> change) {
        open();
        change.accept(this);
        assertThat(a.sendDirect(new Packet[] {SwitchboardTest.packet(2, 8)})).isEqualTo(Endpoint.NOT_SENT);
    }

    @Test
    void withATapOrInterceptorNoDirectPathIsOpened() {
        fabric.tap(event -> {});
        fabric.intercept(transit -> Verdict.PASS);
        assertThat(send(1)).isFalse();
        assertThat(send(2)).isFalse();
        assertThat(atB.psns).containsExactly(1, 2);
    }

    @Test
    void anAnnouncedChangeClosesThePathUntilItIsMade() {
        open();
        epoch.announce();
        assertThat(send(2)).isFalse();
        assertThat(send(3)).isFalse();
        epoch.arrived();
        fabric.attach(new Endpoint(B, 77, new Inbox()));
        assertThat(send(4)).isFalse();
        assertThat(send(5)).isTrue();
        assertThat(atB.psns).containsExactly(0, 1, 2, 3, 4, 5);
    }

    @Test
    void aPacketInFlightFromAnyPortClosesThePathUntilItsArrival() {
        open();
        sendFrom(c, SwitchboardTest.packet(7, 8).withRoute(new Route(C, B, 0, 64, 0, 0xC000)));
        assertThat(send(2)).isFalse();
        assertThat(send(3)).isFalse();
        fabric.advance(1_000_000);
        assertThat(send(4)).isFalse();
        assertThat(send(5)).isTrue();
    }

    @Test
    void aDelayedTrainBehindALostOneIsNotOvertaken() {
        fabric.port("a", A, SLOW);
        fabric.intercept(transit -> new Verdict.Drop("all"));
        send(0);
        fabric.intercept(Interceptor.NONE);
        fabric.port("a", A, LinkProperties.IDEAL);
        send(1);
        assertThat(send(2)).isTrue();
        send(BETWEEN);
        assertThat(send(3)).isFalse();
        fabric.advance(1_000_000);
        assertThat(atB.psns).containsExactly(1, 2, 100, 3);
    }

    @Test
    void aTrainWithoutPacketsInFlightClosesNoOtherPath() {
        open();
        sendFrom(b, SwitchboardTest.packet(1, 8), SwitchboardTest.packet(2, 8, 19));
        assertThat(send(2)).isTrue();
    }

    @Test
    void aTrainThatTheFabricLosesInACrashCountsAsCarried() {
        open();
        a.batchQueued();
        fabric.lost(a, new Packet[] {SwitchboardTest.packet(2, 8)});
        assertThat(send(3)).isTrue();
    }

    @Test
    void aPartlyLostTrainKeepsTheFastPathClosedUntilItsRestArrives() {
        fabric.port("a", A, SLOW);
        send(0);
        fabric.port("a", A, LinkProperties.IDEAL);
        a.batchQueued();
        fabric.lost(a, new Packet[] {SwitchboardTest.packet(1, 8)});
        assertThat(send(2)).isFalse();
        fabric.advance(1_000_000);
        assertThat(send(3)).isFalse();
        assertThat(send(4)).isTrue();
        assertThat(atB.psns).containsExactly(0, 2, 3, 4);
    }

    @Test
    void aQueuePairReachesItself() {
        Packet own = SwitchboardTest.packet(1, 8, 17).withRoute(new Route(A, A, 0, 64, 0, 0xC000));
        send(own);
        assertThat(send(own)).isTrue();
        assertThat(atA.psns).containsExactly(1, 1);
    }

    // rule ud-multicast
    @Test
    void aGroupHasNoDirectPath() {
        PortAddress group = PortAddress.ofIpv4(0xE0000001);
        fabric.join(group, b, false);
        Packet toAll =
                SwitchboardTest.packet(1, 8, Switchboard.MULTICAST_QP).withRoute(new Route(A, group, 0, 64, 0, 0xC000));
        send(toAll);
        assertThat(send(toAll)).isFalse();
        assertThat(atB.psns).containsExactly(1, 1);
    }

    @Test
    void noDirectPathLeadsToAnUnknownQueuePairOrPort() {
        send(SwitchboardTest.packet(1, 8, 19));
        assertThat(send(SwitchboardTest.packet(2, 8, 19))).isFalse();
        Packet forged = SwitchboardTest.packet(3, 8).withRoute(new Route(C, B, 0, 64, 0, 0xC000));
        send(forged);
        assertThat(send(forged)).isFalse();
        assertThat(atB.psns).isEmpty();
    }

    @Test
    void aDetachedEndpointHasNoDirectPath() {
        open();
        fabric.detach(a);
        assertThat(a.directPath()).isNull();
    }

    @Test
    void anOpenDirectPathIsNotReplaced() {
        send(0);
        DirectPath first = a.directPath();
        a.batchQueued();
        fabric.transmit(a, new Packet[] {SwitchboardTest.packet(1, 8)}, new long[0], 0);
        assertThat(a.directPath()).isSameAs(first);
        fabric.attach(new Endpoint(B, 77, new Inbox()));
        send(2);
        assertThat(a.directPath()).isNotSameAs(first);
    }
}
