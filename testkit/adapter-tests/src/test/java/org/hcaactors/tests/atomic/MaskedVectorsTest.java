// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.atomic;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.api.capability.AtomicCapabilities;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.MaskedCompareAndSwap;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Masked atomics with known results, from posting to both memories: the stored and the returned value. */
class MaskedVectorsTest {
    private static final int HERE = 512;
    private static final int THERE = 256;

    private final World world = World.of(35);

    @AfterEach
    void close() {
        world.close();
    }

    private static AtomicValue value(int bytes, String hex) {
        long bits = Long.parseUnsignedLong(hex, 16);
        return bytes == Integer.BYTES ? AtomicValue.ofInt((int) bits) : AtomicValue.ofLong(bits);
    }

    private static byte[] bytes(AtomicValue value, ByteOrder order) {
        ByteBuffer bytes = ByteBuffer.allocate(value.sizeBytes()).order(order);
        return value.sizeBytes() == Integer.BYTES
                ? bytes.putInt(value.toInt()).array()
                : bytes.putLong(value.toLong()).array();
    }

    private interface Posting {
        RcWork of(LocalSlice here, RemoteAddress there);
    }

    /** Checks a plain ConnectX, and one that answers all atomics big-endian; the responder's memory is the same. */
    private void carriesOut(int bytes, AtomicValue before, AtomicValue after, Posting posting) {
        AtomicCapabilities plain = Profile.CONNECTX_5.atomics();
        for (AtomicCapabilities able : List.of(plain, plain.withBigEndianReplies(true))) {
            boolean swapped = able.bigEndianReplies() || bytes == Integer.BYTES;
            String of = able.bigEndianReplies() ? " big-endian" : "";
            Side a = side("a" + of.strip(), able);
            Side b = side("b" + of.strip(), able);
            QpPair<RcQueuePair> pair = world.await(QpPair.connectRc(
                    a.domain(),
                    QpDescription.rc().withBigEndianReplies(),
                    b.domain(),
                    QpDescription.rc().withBigEndianReplies()));
            b.memory().write(THERE, bytes(before, ByteOrder.LITTLE_ENDIAN));
            b.memory().write(THERE + bytes, new byte[] {(byte) 0xA5});
            assertThat(world.await(pair.local().submit(posting.of(a.slice(HERE, bytes), b.remote(THERE))))
                            .status())
                    .isEqualTo(Status.SUCCESS);
            assertThat(b.memory().read(THERE, bytes))
                    .as("stored" + of)
                    .isEqualTo(bytes(after, ByteOrder.LITTLE_ENDIAN));
            assertThat(b.memory().read(THERE + bytes, 1))
                    .as("the adjacent byte")
                    .containsExactly(0xA5);
            assertThat(a.memory().read(HERE, bytes))
                    .as("fetched" + of)
                    .isEqualTo(bytes(before, swapped ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN));
        }
    }

    private Side side(String name, AtomicCapabilities able) {
        return Side.of(world.network(), world.network().addAdapter(name, Profile.CONNECTX_5.with(able)), "app", 4096);
    }

    // rules atomic-masked-swap, atomic-reply-order
    @ParameterizedTest
    @CsvSource({
        "8, 1122334455667788, 7788, AAAAAAAAAAAAAAAA, FFFF, FFFF0000, 11223344AAAA7788",
        "8, 1122334455667788, 7789, AAAAAAAAAAAAAAAA, FFFF, FFFF0000, 1122334455667788",
        "8, 1122334455667788, 0, FFFFFFFFFFFFFFFF, 0, FF00FF00FF00FF00, FF22FF44FF66FF88",
        "8, 1122334455667788, 1122334455667788, 0, FFFFFFFFFFFFFFFF, FFFFFFFFFFFFFFFF, 0",
        "8, 1122334455667788, DEADBEEFDEADBEEF, 0F0F0F0F0F0F0F0F, 0, FFFFFFFFFFFFFFFF, 0F0F0F0F0F0F0F0F",
        "8, 1122334455667788, 1122334455667788, 5, FFFFFFFFFFFFFFFF, 0, 1122334455667788",
        "8, 8000000000000001, 8000000000000000, 7FFFFFFFFFFFFFFE, 8000000000000000, 8000000000000000, 1",
        "4, CAFEBABE, BABE, 12345678, FFFF, FFFF0000, 1234BABE"
    })
    void aSwapStoresTheMaskedBitsAndReturnsTheOldValue(
            int bytes, String va, String compare, String swap, String compareMask, String swapMask, String after) {
        carriesOut(
                bytes,
                value(bytes, va),
                value(bytes, after),
                (here, there) -> MaskedCompareAndSwap.of(1, here, there, value(bytes, compare), value(bytes, swap))
                        .withCompareMask(value(bytes, compareMask))
                        .withSwapMask(value(bytes, swapMask)));
    }

    // rules atomic-masked-add, atomic-reply-order
    @ParameterizedTest
    @CsvSource({
        "8, 5, 7, 0, C",
        "8, FFFFFFFFFFFFFFFF, 1, 0, 0",
        "8, 00FF00FF00FF00FF, 0001000100010001, 8000800080008000, 0100010001000100",
        "8, FFFFFFFFFFFFFFFF, 0001000100010001, 8000800080008000, 0",
        "8, 00000000FFFFFFFF, 1, 80000000, 0",
        "8, 00000000FFFFFFFF, 1, 0, 100000000",
        "8, AAAAAAAAAAAAAAAA, FFFFFFFF00000000, FFFFFFFFFFFFFFFF, 55555555AAAAAAAA",
        "8, 7F7F7F7F7F7F7F7F, 0101010101010101, 8080808080808080, 8080808080808080",
        "8, 0F0F0F0F0F0F0F0F, 0101010101010101, 0808080808080808, 0",
        "8, 1, FFFFFFFFFFFFFFFF, 1, FFFFFFFFFFFFFFFE",
        "4, FFFFFFFF, 2, 0, 1",
        "4, 0000FFFF, 00010001, 00008000, 00010000"
    })
    void anAddStoresTheSumPerFieldAndReturnsTheOldValue(
            int bytes, String va, String add, String boundary, String after) {
        carriesOut(
                bytes,
                value(bytes, va),
                value(bytes, after),
                (here, there) ->
                        MaskedFetchAdd.of(1, here, there, value(bytes, add)).withBoundary(value(bytes, boundary)));
    }

    // rule atomic-masked-swap
    /** Four-byte atomics as UCX builds them. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void operationsBuiltOnMaskedAtomicsWorkOnFourBytes(int which) {
        AtomicValue before = value(4, "CAFEBABE");
        AtomicValue x = value(4, "FF00F00F");
        List<String> after = List.of("CA00B00E", "FFFEFABF", "35FE4AB1", "FF00F00F", "C9FFAACD", "FF00F00F");
        Stream<Posting> built = Stream.of(
                (here, there) -> MaskedCompareAndSwap.and(1, here, there, x),
                (here, there) -> MaskedCompareAndSwap.or(1, here, there, x),
                (here, there) -> MaskedFetchAdd.xor(1, here, there, x),
                (here, there) -> MaskedCompareAndSwap.swap(1, here, there, x),
                (here, there) -> MaskedFetchAdd.of(1, here, there, x),
                (here, there) -> MaskedCompareAndSwap.of(1, here, there, before, x));
        carriesOut(4, before, value(4, after.get(which)), built.toList().get(which));
    }
}
