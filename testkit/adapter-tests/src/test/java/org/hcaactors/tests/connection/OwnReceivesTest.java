// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.client.service.EndpointDescription.DEFAULT;
import static org.hcaactors.lab.fault.PacketMatch.packet;
import static org.hcaactors.tests.connection.ServiceSetup.PORT;
import static org.hcaactors.tests.connection.ServiceSetup.SERVER;
import static org.hcaactors.tests.connection.ServiceSetup.bytes;
import static org.hcaactors.tests.connection.ServiceSetup.endpoint;
import static org.hcaactors.tests.connection.ServiceSetup.text;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.connection.ConnectionException;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.client.service.Endpoint;
import org.hcaactors.client.service.EndpointDescription;
import org.hcaactors.client.service.Message;
import org.hcaactors.client.service.MessageChannel;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.junit.RdmaTest;
import org.hcaactors.lab.world.World;

/** Endpoints whose channels have receive buffers of their own. */
class OwnReceivesTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    /** Two channels with four buffers each. */
    private static final EndpointDescription TWO = DEFAULT.withReceives(8).withOwnReceives(4);

    private final List<MessageChannel> opened = new ArrayList<>();
    private final List<Message> held = new ArrayList<>();
    private final List<String> read = new ArrayList<>();

    private MessageChannel connected(Endpoint client, World world) {
        MessageChannel made = world.await(client.connect(SERVER), LONG);
        world.runFor(Duration.ofMillis(1));
        return made;
    }

    private List<CompletionStage<Void>> send(MessageChannel to, int messages) {
        List<CompletionStage<Void>> sent = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            sent.add(to.send(bytes("message " + i)));
        }
        return sent;
    }

    private static long done(List<CompletionStage<Void>> sent) {
        return sent.stream().filter(each -> each.toCompletableFuture().isDone()).count();
    }

    /** The server's first channel holds its messages, and the second one reads. */
    private List<CompletionStage<Void>> besideAHolder(World world, EndpointDescription ofServer) {
        world.await(endpoint(world, "server", ofServer).listen(PORT, 4, opened::add));
        Endpoint client = endpoint(world, "client", DEFAULT);
        MessageChannel slow = connected(client, world);
        MessageChannel fast = connected(client, world);
        opened.getFirst().messages().subscribe(Subscribers.forEach(held::add));
        opened.getLast().messages().subscribe(Subscribers.forEach(message -> read.add(text(message))));
        send(slow, 20);
        world.runFor(Duration.ofMillis(10));
        List<CompletionStage<Void>> sent = send(fast, 20);
        world.runFor(Duration.ofMillis(100));
        return sent;
    }

    @RdmaTest(seeds = 2)
    void aChannelThatIsNotReadMakesOnlyItsPeerWait(World world) {
        assertThat(done(besideAHolder(world, TWO))).isEqualTo(20);
        assertThat(read).hasSize(20);
        assertThat(held).hasSize(4);
        held.forEach(Message::close);
        world.runFor(Duration.ofMillis(10));
        assertThat(held).hasSize(8);
    }

    @RdmaTest(seeds = 1)
    void withoutBuffersOfTheirOwnAllPeersWait(World world) {
        assertThat(done(besideAHolder(world, DEFAULT.withReceives(8)))).isZero();
        assertThat(held).hasSize(8);
    }

    @RdmaTest(seeds = 20, swarm = Swarm.WIRE)
    void buffersOfEndedChannelsServeTheNextOnes(World world) {
        world.await(endpoint(world, "server", TWO).listen(PORT, 4, channel -> {
            opened.add(channel);
            channel.messages().subscribe(Subscribers.forEach(message -> read.add(text(message))));
        }));
        Endpoint client = endpoint(world, "client", DEFAULT);
        for (int round = 0; round < 12; round++) {
            MessageChannel made = connected(client, world);
            world.await(
                    made.send(bytes("round " + round)), LONG); // The server's end is open now, also if the RTU is lost.
            send(made, round % 5);
            MessageChannel ends = round % 2 == 0 ? made : opened.getLast();
            world.await(ends.closeAsync(), LONG);
            world.await(made.ended(), LONG);
            world.await(opened.getLast().ended(), LONG);
        }

        assertThat(read).contains("round 0", "round 11");
        assertThat(opened).hasSize(12);
    }

    @RdmaTest(seeds = 5)
    void aMessageOfAnEndedChannelKeepsItsBuffer(World world) {
        world.await(endpoint(world, "server", TWO).listen(PORT, 4, opened::add));
        Endpoint client = endpoint(world, "client", DEFAULT);
        MessageChannel first = connected(client, world);
        opened.getLast().messages().subscribe(Subscribers.forEach(held::add));
        world.await(first.send(bytes("kept")));
        world.await(first.closeAsync());
        world.await(opened.getLast().ended());
        MessageChannel second = connected(client, world);
        opened.getLast().messages().subscribe(Subscribers.forEach(message -> read.add(text(message))));
        send(second, 16);
        world.runFor(Duration.ofMillis(10));
        assertThat(read).hasSize(16);
        assertThatThrownBy(() -> world.await(client.connect(SERVER), LONG))
                .as("seven buffers are left of eight, and four are the second channel's")
                .isInstanceOf(ConnectionException.class);
        assertThat(text(held.getFirst())).isEqualTo("kept");

        assertThat(connected(client, world)).isNotNull();
    }

    @RdmaTest(seeds = 5)
    void aChannelBeyondTheBuffersIsRefusedAtBothEnds(World world) {
        world.await(endpoint(world, "server", TWO).listen(PORT, 4, opened::add));
        Endpoint many = endpoint(world, "client", DEFAULT);
        connected(many, world);
        connected(many, world);
        assertThatThrownBy(() -> world.await(many.connect(SERVER), LONG)).isInstanceOf(ConnectionException.class);
        opened.getFirst().closeAsync();
        world.runFor(Duration.ofMillis(10));
        connected(many, world);

        Endpoint one = endpoint(world, "other", DEFAULT.withReceives(6).withOwnReceives(4));
        opened.getLast().closeAsync();
        world.runFor(Duration.ofMillis(10));
        connected(one, world);
        assertThatThrownBy(() -> world.await(one.connect(SERVER), LONG))
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        refused -> assertThat(refused.errno()).isEqualTo(Errno.ENOMEM))
                .hasMessageContaining("a channel needs 4 of the endpoint's 6 receive buffers; 2 are free");
    }

    @RdmaTest(seeds = 5)
    void aConnectionThatIsNotMadeGivesItsBuffersBack(World world) {
        Endpoint client = endpoint(world, "client", TWO);
        for (int attempt = 0; attempt < 5; attempt++) {
            assertThatThrownBy(() -> world.await(client.connect(SERVER), LONG)).isInstanceOf(ConnectionException.class);
        }
        world.await(endpoint(world, "server", DEFAULT).listen(PORT, 4, opened::add));

        assertThat(connected(client, world)).isNotNull();
        assertThat(connected(client, world)).isNotNull();
    }

    @RdmaTest(seeds = 5)
    void messagesThatNoProgramWillReadFreeTheirBuffers(World world) {
        world.faults().on(packet().rtu()).drop(); // So a message arrives before the server's channel is open.
        for (EndpointDescription ofServer : List.of(TWO, DEFAULT.withReceives(8))) {
            String name = "server" + ofServer.ownReceives().orElse(0);
            InetSocketAddress at = InetSocketAddress.createUnresolved(name, PORT);
            world.await(endpoint(world, name, ofServer).listen(PORT, 4, channel -> {
                throw new IllegalStateException("a defect of the program");
            }));
            Endpoint client = endpoint(world, "client-of-" + name, DEFAULT);
            for (int round = 0; round < 10; round++) {
                MessageChannel made = world.await(client.connect(at));
                send(made, 1);
                world.await(made.ended());
            }
        }
    }

    @RdmaTest
    void sizesThatDoNotFitAreRefusedInWords(World world) {
        assertThat(TWO.ownReceives()).isEqualTo(OptionalInt.of(4));
        assertThatThrownBy(() -> endpoint(world, "a", DEFAULT.withReceives(3).withOwnReceives(4)))
                .hasMessageContaining("4 receive buffers of each channel need as many of the endpoint; there are 3");
        assertThatThrownBy(() -> DEFAULT.withOwnReceives(0)).hasMessageContaining("1 to 32768 is allowed");
    }
}
