// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionEnd;
import org.hcaactors.api.connection.ConnectionException;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.connection.ConnectionRequest;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.QueuePairCreator;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.fabric.mad.CmCodec;
import org.hcaactors.fabric.mad.CmMessage.ConnectRequest;
import org.hcaactors.fabric.mad.CmMessage.QueuePairOffer;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections whose programs, addresses or peers do what is rarely done. */
class ConnectionEdgesTest {
    private static final int PORT = 7174;

    private final World world = World.of(42);
    private final ProtectionDomain client = open("client");
    private final ProtectionDomain server = open("server");

    private ProtectionDomain open(String name) {
        return world.adapter(name).process("app").open().allocatePd();
    }

    @AfterEach
    void close() {
        world.close();
    }

    private static InetSocketAddress at(String name) {
        return InetSocketAddress.createUnresolved(name, PORT);
    }

    private CompletionStage<Connection> connecting() {
        return client.context().connect(at("server"), ConnectionDescription.of(client));
    }

    private ConnectionListener listening() {
        return world.await(server.context().listen(PORT, 4));
    }

    private CompletionStage<Connection> accepting(ConnectionListener listener) {
        return listener.next().thenCompose(request -> request.accept(ConnectionDescription.of(server)));
    }

    private void assertWrites(Connection over) {
        assertThat(world.await(over.qp().submit(RdmaWrite.of(1, List.of(), new RemoteAddress(0, 0))))
                        .status())
                .isEqualTo(Status.SUCCESS);
    }

    // rule cm-listen
    @Test
    void closingAListenerDoesNotEndWhatIsBeingAccepted() {
        ConnectionListener listener = listening();
        CompletionStage<Connection> connecting = connecting();
        ConnectionRequest request = world.await(listener.next());
        CompletionStage<Connection> accepting = request.accept(ConnectionDescription.of(server));
        CompletionStage<Void> closing = listener.closeAsync();

        assertWrites(world.await(accepting));
        assertWrites(world.await(connecting));
        world.await(closing);
    }

    @Test
    void aConnectionIsMadeWithEachAddressOfAnAdapter() {
        Adapter adapter = world.adapter("server");
        Gid second = Gid.ofIpv4(10, 9, 9, 9);
        world.network().setGidTable(adapter, List.of(adapter.port(1).gidTable().getFirst(), second));
        CompletionStage<Connection> accepting = accepting(listening());
        Connection made = world.await(
                client.context()
                        .connect(new InetSocketAddress(second.toInetAddress(), PORT), ConnectionDescription.of(client)),
                Duration.ofMinutes(3));

        Connection accepted = world.await(accepting);
        assertWrites(made);
        assertWrites(accepted);
        assertThat(accepted.local()).isEqualTo(made.peer());
        world.await(accepted.closeAsync());
        assertThat(world.await(made.ended()).cause()).isEqualTo(ConnectionEnd.Cause.CLOSED_BY_PEER);
    }

    @Test
    void twoProcessesOfOneAdapterConnect() {
        DeviceContext other = world.adapter("server").process("other").open();
        CompletionStage<Connection> accepting = accepting(listening());
        Connection made = world.await(other.connect(at("server"), ConnectionDescription.of(other.allocatePd())));
        assertWrites(made);
        assertWrites(world.await(accepting));
        world.await(made.closeAsync());
        assertThat(world.await(world.await(accepting).ended()).cause()).isEqualTo(ConnectionEnd.Cause.CLOSED_BY_PEER);
    }

    // rule cm-unknown
    @Test
    void anEndWhoseAddressHasChangedDisconnects() {
        CompletionStage<Connection> accepting = accepting(listening());
        Connection made = world.await(connecting());
        Connection accepted = world.await(accepting);
        world.network().setGidTable(world.adapter("server"), List.of(Gid.ofIpv4(10, 9, 9, 9)));
        world.await(accepted.closeAsync());

        assertThat(world.await(made.ended()).cause()).isEqualTo(ConnectionEnd.Cause.CLOSED_BY_PEER);
        world.runFor(Duration.ofMinutes(2));
        assertThat(world.adapter("server").counters()).containsEntry("cm_tx_retries", 0L);
    }

    @Test
    void anEndThatLosesPowerForgetsItsConnections() {
        CompletionStage<Connection> accepting = accepting(listening());
        Connection made = world.await(connecting());
        world.await(accepting);
        world.faults().now().powerCycle(world.adapter("server"), Duration.ofMillis(1));
        world.runFor(Duration.ofMinutes(3));

        assertThat(world.adapter("server").counters()).containsEntry("cm_tx_retries", 0L);
        assertThat(world.await(made.qp().submit(RdmaWrite.of(1, List.of(), new RemoteAddress(0, 0))))
                        .status())
                .isEqualTo(Status.RETRY_EXC_ERR);
    }

    private void assertRefused(RcQueuePair unfit, String words) {
        assertThatThrownBy(() -> world.await(client.context()
                        .connect(at("server"), ConnectionDescription.of(client).withQueuePair(unfit))))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("EINVAL")
                .hasMessageContaining(words);
    }

    @Test
    void aQueuePairOfTheProgramIsOfOneConnectionOnly() {
        CompletionStage<Connection> accepting = accepting(listening());
        RcQueuePair own = world.await(client.createQp(QpDescription.rc()));
        Connection made = world.await(client.context()
                .connect(at("server"), ConnectionDescription.of(client).withQueuePair(own)));
        world.await(accepting);
        assertRefused(own, "belongs to another connection");

        assertWrites(made);
        world.await(made.closeAsync());
        assertRefused(own, "closed");
    }

    @Test
    void aQueuePairOfAnotherContextIsRefusedAndStays() {
        ProtectionDomain other = open("client");
        RcQueuePair foreign = world.await(other.createQp(QpDescription.rc()));
        assertRefused(foreign, "another adapter or context");

        assertThat(world.await(foreign.query()).state()).isEqualTo(QpState.RESET);
    }

    @Test
    void aQueuePairInAnotherStateIsRefusedAndClosed() {
        RcQueuePair own = world.await(client.createQp(QpDescription.rc()));
        world.await(own.modify(RcConnection.DEFAULT.toInit()));
        world.await(own.modify(QpModify.to(QpState.ERR)));
        assertRefused(own, "ERR");

        assertThat(client.context().openObjects().leaks())
                .noneMatch(leak -> leak.description().contains("queue pair"));
    }

    /** A domain that is not what its interface asks for. */
    private static final class Broken implements QueuePairCreator {
        @Override
        public <Q extends QueuePair> CompletionStage<Q> createQp(QpDescription<Q> requested) {
            throw new IllegalStateException("a defect of the program");
        }
    }

    @Test
    void aDescriptionThatThrowsLeavesNothingAtTheActiveEnd() {
        assertThatThrownBy(() ->
                        world.await(client.context().connect(at("server"), ConnectionDescription.of(new Broken()))))
                .hasStackTraceContaining("a defect of the program");
        world.await(client.context().closeAsync());
    }

    @Test
    void aDescriptionThatThrowsRejectsTheRequest() {
        ConnectionListener listener = listening();
        CompletionStage<Connection> connecting = connecting();
        ConnectionRequest request = world.await(listener.next());
        assertThatThrownBy(() -> world.await(request.accept(ConnectionDescription.of(new Broken()))))
                .hasStackTraceContaining("a defect of the program");

        assertThatThrownBy(() -> world.await(connecting)).isInstanceOf(ConnectionException.class);
        world.await(server.context().closeAsync());
    }

    @Test
    @SuppressWarnings("NullAway") // this is refused
    void acceptingWithoutADescriptionLeavesTheRequestUndecided() {
        ConnectionListener listener = listening();
        connecting();
        ConnectionRequest request = world.await(listener.next());
        assertThatThrownBy(() -> request.accept(null)).isInstanceOf(NullPointerException.class);

        assertThat(world.await(request.accept(ConnectionDescription.of(server))).qp())
                .isNotNull();
    }

    @Test
    void aDomainOfAnotherContextIsRefused() {
        accepting(listening());
        DeviceContext other = world.adapter("client").process("other").open();

        assertThatThrownBy(() -> world.await(other.connect(at("server"), ConnectionDescription.of(client))))
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        refused -> assertThat(refused.errno()).isEqualTo(Errno.EINVAL));
        assertThat(client.context().openObjects().leaks()).hasSize(1);
    }

    private void assertRejected(UnaryOperator<QueuePairOffer> change, int reason) {
        accepting(listening());
        world.network()
                .intercept(transit -> CmCodec.decode(transit.packet())
                        .filter(each -> each.message() instanceof ConnectRequest)
                        .<Verdict>map(each ->
                                new Verdict.Replace("another request", Offers.changed(transit.packet(), change)))
                        .orElse(Verdict.PASS));
        assertThatThrownBy(() -> world.await(connecting(), Duration.ofMinutes(3)))
                .isInstanceOfSatisfying(
                        ConnectionException.class,
                        refused -> assertThat(refused.reason()).isEqualTo(OptionalInt.of(reason)));
    }

    @Test
    void aRequestForAnUnreliableConnectionIsRejected() {
        assertRejected(old -> Offers.withTransport(old, 1, 0), 9);
    }

    @Test
    void aRequestForAnXrcQueuePairIsRejected() {
        assertRejected(old -> Offers.withTransport(old, 3, 1), 9);
    }

    @Test
    void aRequestWithoutPathMtuIsRejected() {
        assertRejected(old -> Offers.withMtu(old, 0), 28);
    }

    @Test
    void aRequestWithAnUnknownPathMtuIsRejected() {
        assertRejected(old -> Offers.withMtu(old, 6), 28);
    }

    /** The process is killed at each of many moments of accepting. */
    @ParameterizedTest
    @ValueSource(ints = {0, 100, 300, 500, 700, 900, 1000, 1100, 1300, 1500, 2000, 2500, 3000, 4000, 6000})
    void aProcessThatIsKilledWhileItAcceptsLeavesNoHalf(int nanos) {
        ConnectionListener listener = listening();
        CompletionStage<Connection> connecting = connecting();
        world.await(listener.next()).accept(ConnectionDescription.of(server));
        world.runFor(Duration.ofNanos(nanos));
        world.await(world.adapter("server").process("app").kill());
        CompletionStage<ConnectionEnd> ended = connecting
                .thenCompose(Connection::ended)
                .exceptionally(
                        refused -> new ConnectionEnd(ConnectionEnd.Cause.CLOSED_BY_PEER, ByteBuffer.allocate(0)));

        assertThat(world.await(ended, Duration.ofMinutes(3)).cause()).isEqualTo(ConnectionEnd.Cause.CLOSED_BY_PEER);
    }
}
