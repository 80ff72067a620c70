// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.api.memory.Access.LOCAL_WRITE;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionEnd;
import org.hcaactors.api.connection.ConnectionException;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.connection.ConnectionRequest;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.firmware.Restart;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConnectionsTest {
    private static final int PORT = 7174;

    private final World world = World.of(42);
    private final Host client = new Host("client");
    private final Host server = new Host("server");

    private final class Host {
        final DeviceContext context;
        final ProtectionDomain domain;
        final HostMemory memory;
        final MemoryRegion region;

        Host(String name) {
            context = world.adapter(name).process("app").open();
            domain = context.allocatePd();
            memory = world.adapter(name).process("app").allocate(4096);
            region = world.await(domain.register(Registration.of(memory).withAccess(LOCAL_WRITE)));
        }

        ConnectionDescription description() {
            return ConnectionDescription.of(domain);
        }
    }

    @AfterEach
    void close() {
        world.close();
    }

    private static InetSocketAddress at(String name) {
        return InetSocketAddress.createUnresolved(name, PORT);
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(ByteBuffer padded) {
        return StandardCharsets.UTF_8.decode(padded).toString().replace("\0", "");
    }

    private CompletionStage<Connection> connecting() {
        return client.context.connect(at("server"), client.description());
    }

    private record Ends(Connection client, Connection server) {}

    private Ends connected() {
        ConnectionListener listener = world.await(server.context.listen(PORT, 4));
        CompletionStage<Connection> accepted =
                listener.next().thenCompose(request -> request.accept(server.description()));
        Ends ends = new Ends(world.await(connecting()), world.await(accepted));
        world.await(listener.closeAsync());
        return ends;
    }

    @Test
    void bothEndsOfAConnectionSend() {
        Ends ends = connected();

        ends.server.qp().postReceive(Receive.of(1, server.region.slice(0, 64)));
        client.memory.write(0, "over a connection".getBytes(StandardCharsets.UTF_8));
        WorkCompletion sent = world.await(ends.client.qp().submit(Send.of(2, client.region.slice(0, 17))));

        assertThat(sent.status()).isEqualTo(Status.SUCCESS);
        assertThat(new String(server.memory.read(0, 17), StandardCharsets.UTF_8))
                .isEqualTo("over a connection");
    }

    @Test
    void theHostCountsThePagesOfAnOpenConnection() {
        connected();

        assertThat(world.runToQuiet(Duration.ofMinutes(1))).isTrue();
    }

    // rule cm-ip-addresses
    @Test
    void eachEndKnowsTheOthersAddressAndData() {
        ConnectionListener listener = world.await(server.context.listen(PORT, 4));
        CompletionStage<Connection> connecting =
                client.context.connect(at("server"), client.description().withPrivateData(bytes("from the client")));
        ConnectionRequest request = world.await(listener.next());
        Connection accepted =
                world.await(request.accept(server.description().withPrivateData(bytes("from the server"))));
        Connection made = world.await(connecting);

        assertThat(text(request.privateData())).isEqualTo("from the client");
        assertThat(text(made.privateData())).isEqualTo("from the server");
        assertThat(request.peer()).isEqualTo(made.local()).isEqualTo(accepted.peer());
        assertThat(made.peer()).isEqualTo(listener.address()).isEqualTo(accepted.local());
        assertThat(request.privateData().remaining()).isEqualTo(ConnectionDescription.MAX_REQUEST_DATA);
    }

    // rule cm-terms
    @Test
    void aConnectionHasTheSmallerLimitsOfBothEnds() {
        ConnectionListener listener = world.await(server.context.listen(PORT, 4));
        CompletionStage<Connection> connecting = client.context.connect(
                at("server"),
                client.description()
                        .withTerms(RcConnection.DEFAULT
                                .withRdAtomic(3)
                                .withReceivePsn(77)
                                .withRetryCount(2)
                                .withRnrRetry(1)));
        ConnectionRequest request = world.await(listener.next());
        Connection accepted = world.await(request.accept(server.description()
                .withTerms(RcConnection.DEFAULT.withRnrRetry(4).withReceivePsn(99))));
        Connection made = world.await(connecting);

        assertThat(request.peerRdAtomic()).isEqualTo(3);
        var of = world.await(accepted.qp().query());
        assertThat(of.maxRdAtomic()).isEqualTo(3);
        assertThat(of.maxDestRdAtomic()).isEqualTo(3);
        assertThat(of.receivePsn()).isEqualTo(99);
        assertThat(attributesOf(accepted))
                .contains(new QpAttribute.SendPsn(77), new QpAttribute.RetryCount(2), new QpAttribute.RnrRetry(1));
        var active = world.await(made.qp().query());
        assertThat(active.receivePsn()).isEqualTo(77);
        assertThat(attributesOf(made))
                .contains(new QpAttribute.SendPsn(99), new QpAttribute.RetryCount(2), new QpAttribute.RnrRetry(4));
    }

    private List<QpAttribute> attributesOf(Connection connection) {
        return world.trace()
                .of(HcaEvent.Modified.class)
                .filter(each -> each.element().number() == connection.qp().number())
                .flatMap(each -> each.change().attributes().stream())
                .toList();
    }

    // rule cm-listen
    @Test
    void nothingListensAtAnotherPort() {
        assertThatThrownBy(() -> world.await(connecting()))
                .isInstanceOfSatisfying(ConnectionException.class, refused -> {
                    assertThat(refused.reason()).isEqualTo(OptionalInt.of(ConnectionException.INVALID_SERVICE_ID));
                    assertThat(refused.findErrno()).isEqualTo(Optional.of(Errno.ECONNREFUSED));
                })
                .hasMessageContaining("nothing listens at the service ID");
        assertThat(world.network().leaks().isEmpty()).isFalse();
    }

    @Test
    void aProgramRejectsWithData() {
        ConnectionListener listener = world.await(server.context.listen(PORT, 4));
        CompletionStage<Connection> connecting = connecting();
        ConnectionRequest request = world.await(listener.next());
        world.await(request.reject(bytes("too busy")));

        assertThatThrownBy(() -> world.await(connecting)).isInstanceOfSatisfying(ConnectionException.class, refused -> {
            assertThat(refused.reason()).isEqualTo(OptionalInt.of(ConnectionException.CONSUMER_DEFINED));
            assertThat(text(refused.privateData())).isEqualTo("too busy");
        });
        assertThatThrownBy(() -> world.await(request.accept(server.description())))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("was accepted or rejected before");
    }

    @Test
    void anAddressInTextIsAnAddress() {
        ConnectionListener listener = world.await(server.context.listen(PORT, 4));
        listener.next().thenCompose(request -> request.accept(server.description()));
        String text = listener.address().getAddress().getHostAddress();
        InetSocketAddress address = InetSocketAddress.createUnresolved(text, PORT);

        assertThat(world.await(client.context.connect(address, client.description()))
                        .peer())
                .isEqualTo(listener.address());
    }

    @Test
    void bothEndsNameTheAddressThatWasAsked() {
        ConnectionListener listener = world.await(server.context.listen(PORT, 4));
        CompletionStage<Connection> accepted =
                listener.next().thenCompose(request -> request.accept(server.description()));
        InetSocketAddress ipv6 = new InetSocketAddress(
                server.context.adapter().port(1).gidTable().get(1).toInetAddress(), PORT);
        Connection made = world.await(client.context.connect(ipv6, client.description()));

        assertThat(world.await(accepted).local()).isEqualTo(made.peer()).isEqualTo(ipv6);
    }

    @Test
    void privateDataThatAreTooLongAreRefused() {
        ByteBuffer long1 = ByteBuffer.allocate(ConnectionDescription.MAX_REQUEST_DATA + 1);
        assertThatThrownBy(() -> world.await(client.context.connect(
                        at("server"), client.description().withPrivateData(long1))))
                .hasMessage("EINVAL: the private data have 57 bytes; at most 56 are allowed");
        assertThatThrownBy(() -> client.description().withPrivateData(ByteBuffer.allocate(197)))
                .hasMessage("EINVAL: the private data have 197 bytes; at most 196 are allowed");
        Ends ends = connected();
        assertThatThrownBy(() -> world.await(ends.client.closeAsync(ByteBuffer.allocate(221))))
                .hasMessage("EINVAL: the private data have 221 bytes; at most 220 are allowed");
    }

    @Test
    void portsAndBacklogsHaveLimits() {
        assertThatThrownBy(() -> world.await(server.context.listen(0, 1)))
                .hasMessage("EINVAL: the port is 0; 1 to 65535 is allowed");
        assertThatThrownBy(() -> world.await(server.context.listen(PORT, 0)))
                .hasMessage("EINVAL: the backlog is 0; 1 to 65536 is allowed");
    }

    @Test
    void aReceiveThatWasPreparedIsThereForTheFirstMessage() {
        ConnectionListener listener = world.await(server.context.listen(PORT, 4));
        RcConnection terms = RcConnection.DEFAULT.withRnrRetry(0);
        listener.next()
                .thenCompose(request -> request.accept(server.description()
                        .withTerms(terms)
                        .withPrepared(qp -> qp.postReceive(Receive.of(1, server.region.slice(0, 64))))));
        Connection made = world.await(
                client.context.connect(at("server"), client.description().withTerms(terms)));

        assertThat(world.await(made.qp().submit(Send.of(2, client.region.slice(0, 8))))
                        .status())
                .isEqualTo(Status.SUCCESS);
    }

    @Test
    void anUnknownNameIsRefusedAtOnce() {
        assertThatThrownBy(() -> world.await(client.context.connect(at("sever"), client.description())))
                .isInstanceOf(ConnectionException.class)
                .hasMessage("EHOSTUNREACH: no adapter has the name sever, and it resolves to no address");
    }

    // rule cm-retries
    @Test
    void anAddressWithoutAdapterDoesNotAnswer() {
        InetSocketAddress nobody = new InetSocketAddress("10.9.9.9", PORT);

        assertThatThrownBy(
                        () -> world.await(client.context.connect(nobody, client.description()), Duration.ofMinutes(3)))
                .isInstanceOfSatisfying(
                        ConnectionException.class,
                        failed -> assertThat(failed.findErrno()).isEqualTo(Optional.of(Errno.ETIMEDOUT)));
    }

    @Test
    void connectingEndsAtItsTimeout() {
        world.await(server.context.listen(PORT, 1));
        CompletionStage<Connection> connecting =
                client.context.connect(at("server"), client.description(), Duration.ofSeconds(2));

        assertThatThrownBy(() -> world.await(connecting))
                .isInstanceOfSatisfying(
                        ConnectionException.class,
                        failed -> assertThat(failed.findErrno()).isEqualTo(Optional.of(Errno.ETIMEDOUT)))
                .hasMessageContaining("within PT2S");
        assertThat(world.clock().millis()).isBetween(2000L, 2010L);
        assertThat(client.context.openObjects().leaks())
                .noneMatch(leak -> leak.description().startsWith("connection"));
    }

    @Test
    void oneListenerHasAPort() {
        ConnectionListener first = world.await(server.context.listen(PORT, 1));

        assertThatThrownBy(() -> world.await(server.context.listen(PORT, 1)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("EADDRINUSE: another program listens at port 7174 of adapter server");
        world.await(first.closeAsync());
        world.await(server.context.listen(PORT, 1));
    }

    // rule cm-disconnect
    @Test
    void thePeerLearnsOfTheEndAndItsRequestsAreFlushed() {
        Ends ends = connected();
        CompletionStage<WorkCompletion> waiting = ends.server.qp().submit(Send.of(3, server.region.slice(0, 8)));

        world.await(ends.client.closeAsync(bytes("bye")));
        ConnectionEnd end = world.await(ends.server.ended());

        assertThat(end.cause()).isEqualTo(ConnectionEnd.Cause.CLOSED_BY_PEER);
        assertThat(text(end.privateData())).isEqualTo("bye");
        assertThat(world.await(waiting).status()).isEqualTo(Status.WR_FLUSH_ERR);
        assertThat(world.await(ends.server.qp().query()).state()).isEqualTo(QpState.ERR);
        assertThat(world.await(ends.client.ended()).cause()).isEqualTo(ConnectionEnd.Cause.CLOSED_HERE);
        world.await(ends.server.closeAsync());
    }

    // rule cm-disconnect
    @Test
    void anEndThatClosesIsFlushedWhetherOrNotThePeerAnswers() {
        CompletionQueue receives = world.await(client.context.createCq(4));
        ConnectionListener listener = world.await(server.context.listen(PORT, 4));
        listener.next().thenCompose(request -> request.accept(server.description()));
        Connection made = world.await(client.context.connect(
                at("server"), client.description().withQp(QpDescription.rc().withRecvCq(receives))));
        made.qp().postReceive(Receive.of(4, client.region.slice(0, 8)));
        world.network().unplug(world.adapter("server"));
        world.await(made.closeAsync());

        assertThat(world.await(receives.poll(1)))
                .extracting(WorkCompletion::status)
                .containsExactly(Status.WR_FLUSH_ERR);
    }

    @Test
    void bothEndsCloseAtOnce() {
        Ends ends = connected();
        CompletionStage<Void> one = ends.client.closeAsync();
        CompletionStage<Void> other = ends.server.closeAsync();

        world.await(one);
        world.await(other);
        assertThat(world.await(ends.client.ended()).cause()).isNotNull();
    }

    // rule cm-listen
    @Test
    void closingAListenerRejectsWhatWaits() {
        ConnectionListener listener = world.await(server.context.listen(PORT, 4));
        CompletionStage<Connection> connecting = connecting();
        ConnectionRequest request = world.await(listener.next());
        world.await(listener.closeAsync());

        assertThatThrownBy(() -> world.await(connecting)).isInstanceOf(ConnectionException.class);
        assertThat(request.isWithdrawn()).isTrue();
        assertThatThrownBy(() -> world.await(request.accept(server.description())))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("ECANCELED");
    }

    // rule cm-undecided
    @Test
    void requestsBeyondTheBacklogFindRoomLater() {
        ConnectionListener listener = world.await(server.context.listen(PORT, 1));
        List<CompletionStage<Connection>> connecting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            connecting.add(connecting());
        }
        listener.requests().subscribe(Subscribers.forEach(request -> request.accept(server.description())));

        connecting.forEach(each ->
                assertThat(world.await(each, Duration.ofMinutes(2)).qp()).isNotNull());
    }

    @Test
    void aProcessThatEndsDisconnects() {
        Ends ends = connected();
        world.await(world.adapter("client").process("app").kill());

        assertThat(world.await(ends.server.ended()).cause()).isEqualTo(ConnectionEnd.Cause.CLOSED_BY_PEER);
    }

    @Test
    void closingTheContextEndsAConnectThatWaits() {
        world.await(server.context.listen(PORT, 4));
        CompletionStage<Connection> connecting = connecting();
        world.await(client.context.closeAsync());

        assertThatThrownBy(() -> world.await(connecting)).isInstanceOf(RuntimeException.class);
        assertThat(client.context.openObjects().isEmpty()).isTrue();
    }

    // rule cm-time-wait
    @Test
    void aNumberInTimeWaitIsNotUsedAgain() {
        Ends ends = connected();
        int number = ends.client.qp().number();
        world.await(ends.client.closeAsync());
        world.await(ends.server.closeAsync());

        assertThat(world.await(client.domain.createQp(QpDescription.rc())).number())
                .isNotEqualTo(number);
    }

    // rule firmware-restart
    @Test
    void aRestartEndsConnectionsAndListeners() {
        Ends ends = connected();
        ConnectionListener listener = world.await(client.context.listen(PORT, 4));
        CompletionStage<ConnectionRequest> next = listener.next();
        world.await(world.adapter("client").firmware().restart(Restart.FIRMWARE_RESET));

        assertThat(world.await(ends.client.ended()).cause()).isEqualTo(ConnectionEnd.Cause.DEVICE_FAILED);
        assertThatThrownBy(() -> world.await(next)).isInstanceOf(VerbsException.class);
    }
}
