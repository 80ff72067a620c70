// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.tests.connection.ServiceSetup.PORT;
import static org.hcaactors.tests.connection.ServiceSetup.SERVER;
import static org.hcaactors.tests.connection.ServiceSetup.bytes;
import static org.hcaactors.tests.connection.ServiceSetup.endpoint;
import static org.hcaactors.tests.connection.ServiceSetup.text;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.client.service.ChannelEndedException;
import org.hcaactors.client.service.Endpoint;
import org.hcaactors.client.service.MessageChannel;
import org.hcaactors.client.service.RemoteMemory;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Memory of a peer that programs read, write and update over channels. */
class RemoteMemoryTest {
    private static final int LENGTH = 4096;
    private static final int MAX = 256;

    private final World world = World.of(7);
    private HostMemory memory;
    private MemoryRegion region;
    private Endpoint client;

    @BeforeEach
    void open() {
        Endpoint server = endpoint(world, "server");
        world.await(server.listen(PORT, 16, channel -> {}));
        memory = world.adapter("server").process("app").allocate(LENGTH);
        region = world.await(server.domain()
                .register(Registration.of(memory)
                        .withAccess(
                                Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC)));
        client = endpoint(world, "client");
    }

    @AfterEach
    void close() {
        world.close();
    }

    private RemoteMemory opened(MessageChannel channel) {
        RemoteAddress start = new RemoteAddress(region.rkey(), region.address());
        return world.await(RemoteMemory.open(channel, start, LENGTH, MAX));
    }

    private RemoteMemory opened() {
        return opened(world.await(client.connect(SERVER)));
    }

    private void assertRefused(CompletionStage<?> stage, Errno errno) {
        assertThatThrownBy(() -> world.await(stage))
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        refused -> assertThat(refused.errno()).isEqualTo(errno));
    }

    @Test
    void whatIsWrittenIsReadWithoutThePeersProgram() {
        RemoteMemory remote = opened();
        CompletionStage<Void> written = remote.write(100, bytes("hello"));
        CompletionStage<byte[]> read = remote.read(100, 5);

        assertThat(text(world.await(read))).isEqualTo("hello");
        world.await(written);
        assertThat(text(memory.read(100, 5))).isEqualTo("hello");
    }

    @Test
    void aRecordThatIsBeingWrittenIsReadAgain() {
        RemoteMemory remote = opened();
        memory.writeLong(0, 3);
        memory.write(8, "old and new".getBytes(StandardCharsets.UTF_8));
        memory.writeLong(19, 2);
        CompletionStage<byte[]> read = remote.readRecord(0, 11);
        world.runFor(Duration.ofNanos(5_000));
        assertThat(read.toCompletableFuture()).isNotDone();
        memory.write(8, "new and new".getBytes(StandardCharsets.UTF_8));
        memory.writeLong(19, 4);
        memory.writeLong(0, 4);

        assertThat(text(world.await(read))).isEqualTo("new and new");
    }

    @Test
    void aRecordThatStaysHalfIsRefusedAfterTheAttempts() {
        RemoteMemory remote = opened();
        memory.writeLong(0, 1);
        assertRefused(remote.readRecord(0, 8), Errno.EAGAIN);

        assertThat(world.await(remote.read(0, 8))).hasSize(8);
    }

    @Test
    void updatesOfSixteenClientsAreAllCounted() {
        List<CompletionStage<Long>> updates = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            RemoteMemory remote = opened();
            for (int j = 0; j < 10; j++) {
                updates.add(remote.update(8, value -> value + 1));
            }
        }

        assertThat(updates.stream().map(world::await))
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, 160).boxed().toList());
        assertThat(memory.readLong(8)).isEqualTo(160);
    }

    @Test
    void anUpdateThatAlwaysLosesIsRefused() {
        RemoteMemory remote = opened();
        RemoteMemory other = opened();
        LongUnaryOperator interfered = value -> {
            memory.writeLong(8, memory.readLong(8) + 1);
            return -1;
        };
        assertRefused(remote.update(8, interfered), Errno.EAGAIN);

        assertThat(memory.readLong(8)).isEqualTo(64);
        assertThat(world.await(other.update(8, value -> value + 1))).isEqualTo(65);
    }

    @Test
    void entriesOfSeveralClientsStandOneAfterTheOther() {
        List<CompletionStage<Long>> appended = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String entry = "entry " + i;
            appended.add(opened().append(0, 1024, bytes(entry)));
        }
        List<String> read = appended.stream()
                .map(world::await)
                .map(at -> text(memory.read(at, 7)))
                .toList();

        assertThat(read)
                .containsExactlyElementsOf(
                        IntStream.range(0, 8).mapToObj(i -> "entry " + i).toList());
        assertThat(memory.readLong(0)).isEqualTo(56);
    }

    @Test
    void anEntryForWhichTheLogHasNoRoomIsRefused() {
        RemoteMemory remote = opened();
        world.await(remote.append(0, 10, bytes("0123456")));
        assertRefused(remote.append(0, 10, bytes("0123")), Errno.ENOMEM);

        assertThat(world.await(remote.append(0, 10, bytes("789")))).isEqualTo(15);
        assertThat(text(memory.read(8, 10))).isEqualTo("0123456789");
    }

    @Test
    void operationsOutsideOfThePartAreRefusedHere() {
        RemoteMemory remote = opened();
        assertRefused(remote.read(LENGTH - 4, 5), Errno.EINVAL);
        assertRefused(remote.read(-1, 1), Errno.EINVAL);
        assertRefused(remote.read(0, MAX + 1), Errno.EINVAL);
        assertRefused(remote.read(Long.MAX_VALUE, 1), Errno.EINVAL);
        assertRefused(remote.write(LENGTH, bytes("x")), Errno.EINVAL);
        assertRefused(remote.readRecord(0, MAX), Errno.EINVAL);
        assertRefused(remote.readRecord(0, Integer.MAX_VALUE), Errno.EINVAL);
        assertRefused(remote.update(4, value -> value), Errno.EINVAL);
        assertRefused(remote.append(0, LENGTH, bytes("x")), Errno.EINVAL);
        assertRefused(remote.append(0, -1, bytes("")), Errno.EINVAL);
        assertRefused(remote.append(Long.MIN_VALUE, 8, bytes("")), Errno.EINVAL);

        assertThat(world.await(remote.read(LENGTH - 4, 4))).hasSize(4);
    }

    @Test
    void aChangeThatThrowsFailsItsOwnStageOnly() {
        RemoteMemory remote = opened();
        CompletionStage<Long> failed = remote.update(8, value -> {
            throw new IllegalStateException("a defect of the program");
        });
        CompletionStage<Long> next = remote.update(8, value -> 7);

        assertThatThrownBy(() -> world.await(failed)).hasMessage("a defect of the program");
        assertThat(world.await(next)).isEqualTo(7);
    }

    @Test
    void aPeerThatDeregistersEndsTheChannel() {
        MessageChannel channel = world.await(client.connect(SERVER));
        RemoteMemory remote = opened(channel);
        world.await(region.closeAsync());
        CompletionStage<byte[]> first = remote.read(0, 8);
        CompletionStage<byte[]> second = remote.read(0, 8);

        assertThatThrownBy(() -> world.await(first)).isInstanceOf(ChannelEndedException.class);
        assertThatThrownBy(() -> world.await(second)).isInstanceOf(RuntimeException.class);
        world.await(channel.ended());
    }

    @Test
    void anOperationOnAChannelThatHasEndedSaysSo() {
        MessageChannel channel = world.await(client.connect(SERVER));
        RemoteMemory remote = opened(channel);
        world.await(channel.closeAsync());
        world.await(channel.ended());

        assertThatThrownBy(() -> world.await(remote.read(0, 8)))
                .isInstanceOf(ChannelEndedException.class)
                .hasMessageContaining("not executed");
    }

    @Test
    void operationsBeyondTheSendQueuesRoomAreRefused() {
        MessageChannel channel = world.await(client.connect(SERVER));
        List<RemoteMemory> parts =
                Stream.generate(() -> opened(channel)).limit(128).toList();
        List<CompletionStage<byte[]>> reads =
                parts.stream().map(part -> part.read(0, 8)).toList();
        List<CompletionStage<byte[]>> refused = reads.stream()
                .filter(read -> read.toCompletableFuture().isCompletedExceptionally())
                .toList();

        assertThat(refused).hasSizeBetween(1, 112);
        refused.forEach(read -> assertRefused(read, Errno.ENOMEM));
        reads.stream()
                .filter(read -> !refused.contains(read))
                .forEach(read -> assertThat(world.await(read)).hasSize(8));
        assertThat(world.await(parts.getLast().read(0, 8))).hasSize(8);
    }

    @Test
    void operationsBeforeTheCloseExecuteAndLaterOnesDoNot() {
        RemoteMemory remote = opened();
        CompletionStage<Void> before = remote.write(0, bytes("hello"));
        CompletionStage<Void> closing = remote.closeAsync();
        assertRefused(remote.read(0, 5), Errno.EINVAL);

        world.await(before);
        world.await(closing);
        world.await(remote.closeAsync());
        assertThat(text(memory.read(0, 5))).isEqualTo("hello");
    }

    @Test
    void anEndpointClosedFirstLeavesNothing() {
        RemoteMemory remote = opened();
        world.await(client.closeAsync());
        assertThatThrownBy(() -> world.await(remote.read(0, 8))).isInstanceOf(RuntimeException.class);
        world.await(remote.closeAsync());

        assertThat(world.network().leaks().leaks().toString()).doesNotContain("client");
    }

    @Test
    void operationsBeyondTheLimitAreRefused() {
        RemoteMemory remote = opened();
        List<CompletionStage<byte[]>> reads = new ArrayList<>();
        for (int i = 0; i < 1_025; i++) {
            reads.add(remote.read(0, 8));
        }
        assertRefused(remote.read(0, 8), Errno.EAGAIN);

        reads.forEach(read -> assertThat(world.await(read)).hasSize(8));
    }
}
