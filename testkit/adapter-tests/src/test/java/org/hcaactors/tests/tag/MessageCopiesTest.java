// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.tag;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.client.messages.TagArrival;
import org.hcaactors.client.messages.TagReceive;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Test;

/**
 * Copies of a message's data at its receiver: the result equals the table of the guide's page on tag matching.
 */
class MessageCopiesTest {
    private static final int EAGER = 4096;
    private static final int LONG = 100_000;

    /**
     * Data movements of one message, in bytes.
     *
     * @param placed written by the adapter to the buffer of its receive
     * @param putAside written by the adapter elsewhere
     * @param copied copied by the program
     */
    private record Moved(TagArrival.DeliveryPath way, int length, long placed, long putAside, long copied) {
        String line(String when) {
            return String.format(
                    Locale.ROOT,
                    "| %,d bytes, %s | `%s` | %,d | %,d | %,d | %d |",
                    length,
                    when,
                    way,
                    placed,
                    putAside,
                    copied,
                    copied / length);
        }
    }

    private static Moved expected(int length) {
        try (World world = World.of(31)) {
            EndpointSetup ground = new EndpointSetup(world, World.DEFAULT_LINK);
            TagReceive receive = ground.receive(7, length);
            world.settle();
            ground.send(7, length);
            return moved(world, ground, receive, length);
        }
    }

    private static Moved unexpected(int length) {
        try (World world = World.of(31)) {
            EndpointSetup ground = new EndpointSetup(world, World.DEFAULT_LINK);
            ground.send(7, length);
            world.runFor(Duration.ofMillis(1));
            return moved(world, ground, ground.receive(7, length), length);
        }
    }

    private static Moved moved(World world, EndpointSetup ground, TagReceive receive, int length) {
        TagArrival arrival = world.await(receive.arrival());
        world.runFor(Duration.ofMillis(1));
        assertThat(ground.right.memory().read(0, length))
                .isEqualTo(ground.left.memory().read(0, length));
        long first = ground.right.region().address();
        LongPredicate isInBuffer = address -> address >= first && address < first + length;
        return new Moved(
                arrival.deliveryPath(),
                arrival.lengthBytes(),
                written(world, isInBuffer),
                written(world, isInBuffer.negate()),
                ground.takes.statistics().copiedBytes());
    }

    /** Returns the bytes that the receiver's adapter wrote. */
    private static long written(World world, LongPredicate where) {
        return world.trace()
                .of(HcaEvent.MemoryWritten.class)
                .filter(each -> each.port().equals("right"))
                .filter(each -> where.test(each.address()))
                .mapToLong(each -> each.bytes().length())
                .sum();
    }

    // rules tag-header, rendezvous-read
    @Test
    void expectedMessagesAreWrittenOnceAndUnexpectedOnesCopied() {
        assertThat(Stream.of(expected(EAGER), unexpected(EAGER), expected(LONG), unexpected(LONG)))
                .containsExactly(
                        new Moved(TagArrival.DeliveryPath.EXPECTED, EAGER, EAGER, 0, 0),
                        new Moved(TagArrival.DeliveryPath.COPIED, EAGER, 0, EAGER + 16, EAGER),
                        new Moved(TagArrival.DeliveryPath.FETCHED, LONG, LONG, 0, 0),
                        new Moved(TagArrival.DeliveryPath.FETCHED_BY_PROGRAM, LONG, LONG, 32, 0));
    }

    @Test
    void theTableOfCopiesAgreesWithTheEndpoints() throws IOException {
        List<String> page = Files.readAllLines(Path.of("../../docs/guide/tag-matching.md"));
        assertThat(page)
                .filteredOn(
                        line -> line.contains(" bytes, expected |") || line.contains(" bytes, before its receive |"))
                .containsExactly(
                        expected(EAGER).line("expected"),
                        unexpected(EAGER).line("before its receive"),
                        expected(LONG).line("expected"),
                        unexpected(LONG).line("before its receive"));
    }
}
