// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.atomic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.capability.AtomicCapabilities;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.MaskedCompareAndSwap;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.lab.fault.PacketMatch;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Masked atomics from one program's memory to another's. */
class MaskedAtomicTest {
    private static final AtomicCapabilities CONNECTX = Profile.CONNECTX_5.atomics();
    private static final int HERE = 512;
    private static final int THERE = 256;

    private final World world = World.of(16);

    /** A program with a queue pair. */
    private record End(Side side, RcQueuePair qp) {
        LocalSlice slice(int count) {
            return side.slice(HERE, count);
        }

        RemoteAddress remote(int offset) {
            return side.remote(offset);
        }
    }

    private record Two(End a, End b) {}

    private Optional<Two> ends = Optional.empty();

    private End a() {
        return ends.orElseThrow().a;
    }

    private End b() {
        return ends.orElseThrow().b;
    }

    @AfterEach
    void close() {
        world.close();
    }

    private void connect(AtomicCapabilities able, HostMachine machine) {
        connect(able, machine, QpCapacity.DEFAULT.withMaxAtomicBytes(64), false, RcConnection.DEFAULT);
    }

    private void connect(
            AtomicCapabilities able, HostMachine machine, QpCapacity capacity, boolean knows, RcConnection attributes) {
        Profile profile = Profile.CONNECTX_5.with(able);
        join(side("a", profile, machine), side("b", profile, machine), capacity, knows, attributes);
    }

    private Side side(String name, Profile profile, HostMachine machine) {
        Adapter adapter = world.network().addAdapter(name, profile, World.DEFAULT_LINK, machine);
        return Side.of(world.network(), adapter, "app", 4096);
    }

    private void join(Side left, Side right, QpCapacity capacity, boolean knows, RcConnection attributes) {
        QpPair<RcQueuePair> pair = world.await(QpPair.connectRc(
                left.domain(), requested(capacity, knows), right.domain(), requested(capacity, knows), attributes));
        ends = Optional.of(new Two(new End(left, pair.local()), new End(right, pair.remote())));
    }

    private static QpDescription<RcQueuePair> requested(QpCapacity capacity, boolean knows) {
        QpDescription<RcQueuePair> plain = QpDescription.rc().withCapacity(capacity);
        return knows ? plain.withBigEndianReplies() : plain;
    }

    private WorkCompletion done(RcWork work) {
        return world.await(a().qp.submit(work));
    }

    private static void put(End end, int offset, ByteOrder order, AtomicValue value) {
        end.side.memory().write(offset, bytes(value, order));
    }

    private static byte[] bytes(AtomicValue value, ByteOrder order) {
        ByteBuffer bytes = ByteBuffer.allocate(value.sizeBytes()).order(order);
        if (value.sizeBytes() == 4) {
            return bytes.putInt(value.toInt()).array();
        }
        for (int i = 0; i < value.words(); i++) {
            bytes.putLong(value.word(i));
        }
        return bytes.array();
    }

    private static AtomicValue counting(int bytes) {
        if (bytes == 4) {
            return AtomicValue.ofInt(0x0102_0304);
        }
        long[] words = new long[bytes / 8];
        Arrays.setAll(words, i -> 0x0102_0304_0506_0708L + i);
        return AtomicValue.ofWords(words);
    }

    // rules atomic-masked-add, atomic-reply-order, wire-masked-atomic
    @ParameterizedTest
    @CsvSource({"4, BIG_ENDIAN", "8, LITTLE_ENDIAN", "16, BIG_ENDIAN", "32, BIG_ENDIAN"})
    void sumsAreInHostOrderAndResultsInTheOrderForTheirSize(int bytes, String order) {
        connect(CONNECTX, HostMachine.DEFAULT);
        AtomicValue before = counting(bytes);
        put(b(), THERE, ByteOrder.LITTLE_ENDIAN, before);
        WorkCompletion done = done(MaskedFetchAdd.of(1, a().slice(bytes), b().remote(THERE), AtomicValue.ones(bytes)));
        assertThat(done.status()).isEqualTo(Status.SUCCESS);
        assertThat(done.kind()).isEqualTo(CompletionKind.MASKED_FETCH_ADD);
        assertThat(done.lengthBytes()).isEqualTo(bytes);
        assertThat(b().side.memory().read(THERE, bytes))
                .isEqualTo(bytes(before.plus(AtomicValue.ones(bytes)), ByteOrder.LITTLE_ENDIAN));
        ByteOrder reply = order.equals("BIG_ENDIAN") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        assertThat(a().side.memory().read(HERE, bytes)).isEqualTo(bytes(before, reply));
        assertThat(CONNECTX.maskedReplyOrder(bytes, ByteOrder.LITTLE_ENDIAN)).isEqualTo(reply);
        assertThat(AtomicValue.read(a().side.memory(), HERE, bytes, reply)).isEqualTo(before);
        assertThat(AtomicValue.read(b().side.memory(), THERE, bytes, ByteOrder.LITTLE_ENDIAN))
                .isEqualTo(before.plus(AtomicValue.ones(bytes)));
    }

    // rules atomic-masked-swap, atomic-sizes
    @ParameterizedTest
    @ValueSource(ints = {4, 8, 16, 32, 64})
    void aSuccessfulMaskedSwapChangesOnlyItsBits(int bytes) {
        connect(CONNECTX.withMaskedSizes(4, 8, 16, 32, 64, 128, 256), HostMachine.DEFAULT);
        AtomicValue before = counting(bytes);
        put(b(), THERE, ByteOrder.LITTLE_ENDIAN, before);
        AtomicValue one = AtomicValue.zeros(bytes).plus(AtomicValue.ones(bytes)).and(counting(bytes));
        MaskedCompareAndSwap swap = MaskedCompareAndSwap.of(
                        1, a().slice(bytes), b().remote(THERE), before, AtomicValue.ones(bytes))
                .withSwapMask(one);
        assertThat(done(swap).status()).isEqualTo(Status.SUCCESS);
        assertThat(b().side.memory().read(THERE, bytes)).isEqualTo(bytes(before.or(one), ByteOrder.LITTLE_ENDIAN));
        assertThat(done(MaskedCompareAndSwap.of(2, a().slice(bytes), b().remote(THERE), before.not(), before.not()))
                        .kind())
                .isEqualTo(CompletionKind.MASKED_COMP_SWAP);
        assertThat(b().side.memory().read(THERE, bytes))
                .as("another value was there")
                .isEqualTo(bytes(before.or(one), ByteOrder.LITTLE_ENDIAN));
    }

    @Test
    void swapAndOrAndXorAreBuiltOnMaskedAtomics() {
        connect(CONNECTX, HostMachine.DEFAULT);
        b().side.memory().writeLong(THERE, 0b1100);
        long bits = 0b1010;
        done(MaskedCompareAndSwap.and(1, a().slice(8), b().remote(THERE), bits));
        assertThat(b().side.memory().readLong(THERE)).isEqualTo(0b1000);
        done(MaskedCompareAndSwap.or(2, a().slice(8), b().remote(THERE), 0b0001));
        assertThat(b().side.memory().readLong(THERE)).isEqualTo(0b1001);
        done(MaskedFetchAdd.xor(3, a().slice(8), b().remote(THERE), bits));
        assertThat(b().side.memory().readLong(THERE)).isEqualTo(0b0011);
        done(MaskedCompareAndSwap.swap(4, a().slice(8), b().remote(THERE), bits));
        assertThat(b().side.memory().readLong(THERE)).isEqualTo(0b1010);
        assertThat(a().side.memory().readLong(HERE)).as("the value before").isEqualTo(0b0011);
    }

    // rule atomic-masked-add
    @Test
    void aFourByteAddDoesNotCarryIntoTheNextValue() {
        connect(CONNECTX, HostMachine.DEFAULT);
        b().side.memory().writeLong(THERE, 0x1_FFFF_FFFFL);
        done(MaskedFetchAdd.of(1, a().slice(4), b().remote(THERE), AtomicValue.ofInt(1)));
        assertThat(b().side.memory().readLong(THERE)).isEqualTo(0x1_0000_0000L);
        done(MaskedFetchAdd.of(2, a().slice(4), b().remote(THERE + 4), AtomicValue.ofInt(1)));
        assertThat(b().side.memory().readLong(THERE)).isEqualTo(0x2_0000_0000L);
    }

    // rules atomic-reply-order, post-atomic-replies
    @Test
    void bigEndianRepliesSwapOnlyTheRequestersMemory() {
        connect(
                CONNECTX.withBigEndianReplies(true),
                HostMachine.DEFAULT,
                QpCapacity.DEFAULT,
                true,
                RcConnection.DEFAULT);
        b().side.memory().writeLong(THERE, 0x0102_0304_0506_0708L);
        done(FetchAdd.of(1, a().slice(8), b().remote(THERE), 1));
        assertThat(a().side.memory().read(HERE, 8)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
        assertThat(a().side.memory().readLong(HERE)).isEqualTo(0x0807_0605_0403_0201L);
        assertThat(b().side.memory().readLong(THERE)).isEqualTo(0x0102_0304_0506_0709L);
    }

    @Test
    void onABigEndianHostNoResultIsByteSwapped() {
        connect(
                CONNECTX.withBigEndianReplies(true),
                HostMachine.DEFAULT.withByteOrder(ByteOrder.BIG_ENDIAN),
                QpCapacity.DEFAULT,
                false,
                RcConnection.DEFAULT);
        b().side.memory().writeLong(THERE, 0x0102_0304_0506_0708L);
        done(FetchAdd.of(1, a().slice(8), b().remote(THERE), 1));
        assertThat(a().side.memory().readLong(HERE)).isEqualTo(0x0102_0304_0506_0708L);
        assertThat(b().side.memory().read(THERE, 8)).containsExactly(1, 2, 3, 4, 5, 6, 7, 9);
    }

    private static void refused(Errno errno, String message, Runnable posting) {
        assertThatExceptionOfType(VerbsException.class).isThrownBy(posting::run).satisfies(reason -> {
            assertThat(reason.errno()).isEqualTo(errno);
            assertThat(reason).hasMessageContaining(message);
        });
    }

    private MaskedFetchAdd add(int bytes) {
        return MaskedFetchAdd.of(1, a().slice(bytes), b().remote(THERE), AtomicValue.ones(bytes));
    }

    // rules post-atomics, post-atomic-replies, post-masked-sizes
    @Test
    void anUnsupportedAtomicIsRefusedWhenPosted() {
        connect(AtomicCapabilities.NONE, HostMachine.DEFAULT);
        refused(Errno.EOPNOTSUPP, "ConnectX-5 has no atomics", () -> a().qp.post(add(8)));
    }

    @Test
    void anAdapterWithoutMaskedAtomicsRefusesThem() {
        connect(AtomicCapabilities.NONE.withEightBytes(true), HostMachine.DEFAULT);
        refused(
                Errno.EINVAL,
                "a masked atomic of 8 bytes is not possible; ConnectX-5 has no masked atomics",
                () -> a().qp.post(add(8)));
    }

    @Test
    void aSizeNotSupportedByTheAdapterIsRefused() {
        connect(CONNECTX, HostMachine.DEFAULT);
        refused(
                Errno.EINVAL,
                "a masked atomic of 64 bytes is not possible; [4, 8, 16, 32] are allowed",
                () -> a().qp.post(add(64)));
    }

    @Test
    void aSizeAboveTheQueuePairsMaximumIsRefused() {
        connect(CONNECTX, HostMachine.DEFAULT, QpCapacity.DEFAULT, false, RcConnection.DEFAULT);
        refused(
                Errno.EINVAL,
                "the queue pair allows up to 8, the adapter in a request up to 32",
                () -> a().qp.post(add(16)));
    }

    // rule post-sizes
    @ParameterizedTest
    @ValueSource(ints = {-4, 1, 2, 48, 512})
    void aQueuePairWithAnInvalidAtomicSizeIsRefused(int bytes) {
        Side side = side("a", Profile.CONNECTX_5, HostMachine.DEFAULT);
        refused(
                Errno.EINVAL,
                "maxAtomicBytes is " + bytes + "; 0, 4, 8, 16",
                () -> world.await(side.domain()
                        .createQp(QpDescription.rc().withCapacity(QpCapacity.DEFAULT.withMaxAtomicBytes(bytes)))));
    }

    @Test
    void valuesOfMoreThanSixtyFourBytesAreRefused() {
        connect(
                CONNECTX.withMaskedSizes(4, 8, 16, 32, 64, 128, 256),
                HostMachine.DEFAULT,
                QpCapacity.DEFAULT.withMaxAtomicBytes(256),
                false,
                RcConnection.DEFAULT);
        refused(Errno.EINVAL, "the adapter in a request up to 64", () -> a().qp.post(add(128)));
    }

    @Test
    void ifRepliesAreBigEndianTheQueuePairMustAllowThem() {
        connect(CONNECTX.withBigEndianReplies(true), HostMachine.DEFAULT);
        refused(
                Errno.EINVAL,
                "ConnectX-5 returns atomic results in big-endian order; to post atomics, create the queue pair with QpDescription.withBigEndianReplies()",
                () -> a().qp.post(FetchAdd.of(1, a().slice(8), b().remote(THERE), 1)));
        refused(
                Errno.EINVAL,
                "ConnectX-5 returns atomic results in big-endian order",
                () -> a().qp.post(add(8)));
    }

    // rules rc-atomic-aligned, rc-atomic-result-size, rc-not-enabled, atomic-sizes
    @ParameterizedTest
    @CsvSource({"4, 2", "8, 4", "16, 8", "32, 16"})
    void anAddressThatIsNoMultipleOfTheSizeIsAnInvalidRequest(int bytes, int off) {
        connect(CONNECTX, HostMachine.DEFAULT);
        WorkCompletion done =
                done(MaskedFetchAdd.of(1, a().slice(bytes), b().remote(THERE + off), AtomicValue.ones(bytes)));
        assertThat(done.status()).isEqualTo(Status.REM_INV_REQ_ERR);
        assertThat(world.explain(done).toString())
                .contains("a masked atomic at 0x%x, which is not a multiple of %d"
                        .formatted(b().remote(THERE + off).address(), bytes));
    }

    @Test
    void aResultBufferOfAnotherSizeIsALengthError() {
        connect(CONNECTX, HostMachine.DEFAULT);
        WorkCompletion done = done(MaskedFetchAdd.of(1, a().slice(8), b().remote(THERE), AtomicValue.ones(16)));
        assertThat(done.status()).isEqualTo(Status.LOC_LEN_ERR);
        assertThat(world.explain(done).toString()).contains("a masked atomic into 8 bytes; it requires 16");
        assertThat(b().side.memory().readLong(THERE)).isZero();
    }

    @Test
    void aQueuePairThatAllowsNoAtomicsRefusesThem() {
        connect(
                CONNECTX,
                HostMachine.DEFAULT,
                QpCapacity.DEFAULT,
                false,
                RcConnection.DEFAULT.withRemoteAccess(AccessFlags.of(Access.REMOTE_WRITE)));
        assertThat(done(add(8)).status()).isEqualTo(Status.REM_INV_REQ_ERR);
    }

    @Test
    void aResponderWithoutTheSizeRefusesIt() {
        Profile strong = Profile.CONNECTX_5.with(CONNECTX.withMaskedSizes(4, 8, 16, 32, 64));
        QpCapacity capacity = QpCapacity.DEFAULT.withMaxAtomicBytes(64);
        Side weak = side("b", Profile.CONNECTX_5, HostMachine.DEFAULT);
        join(side("a", strong, HostMachine.DEFAULT), weak, capacity, false, RcConnection.DEFAULT);
        WorkCompletion done = done(add(64));
        assertThat(done.status()).isEqualTo(Status.REM_INV_REQ_ERR);
        assertThat(world.explain(done).toString())
                .contains("ConnectX-5 has no masked atomics of 64 bytes; [4, 8, 16, 32] are allowed");
    }

    // rules rc-duplicate-atomic, memory-atomic
    @ParameterizedTest
    @ValueSource(ints = {4, 8, 16, 32})
    void aLostAnswerIsResentAndTheAtomicNotRepeated(int bytes) {
        connect(CONNECTX, HostMachine.DEFAULT);
        AtomicValue before = counting(bytes);
        put(b(), THERE, ByteOrder.LITTLE_ENDIAN, before);
        world.faults()
                .on(PacketMatch.packet().opcode(Opcode.RC_ATOMIC_ACKNOWLEDGE))
                .drop();
        a().qp.post(add(bytes));
        world.runFor(Duration.ofMillis(1));
        world.faults().stop();
        WorkCompletion done = done(MaskedFetchAdd.of(2, a().slice(bytes), b().remote(THERE), AtomicValue.zeros(bytes)));
        assertThat(done.status()).isEqualTo(Status.SUCCESS);
        AtomicValue once = before.plus(AtomicValue.ones(bytes));
        assertThat(b().side.memory().read(THERE, bytes)).isEqualTo(bytes(once, ByteOrder.LITTLE_ENDIAN));
        assertThat(world.trace().events().stream().filter(HcaEvent.AtomicExecuted.class::isInstance))
                .hasSize(2);
    }

    // rule atomic-not-inline
    @Test
    void onlyAMaskedResultIsWrittenBeforeThePoll() {
        QpCapacity inline = QpCapacity.DEFAULT.withMaxInlineReceiveBytes(1);
        Side left = side("a", Profile.CONNECTX_5, HostMachine.DEFAULT);
        Side right = side("b", Profile.CONNECTX_5, HostMachine.DEFAULT);
        QpPair<RcQueuePair> pair = world.await(QpPair.connectRc(
                left.domain(),
                QpDescription.rc().withCapacity(inline).withSignalAll(),
                right.domain(),
                QpDescription.rc().withCapacity(inline).withSignalAll(),
                RcConnection.DEFAULT));
        ends = Optional.of(new Two(new End(left, pair.local()), new End(right, pair.remote())));
        b().side.memory().writeLong(THERE, 7);
        a().qp.post(add(8));
        world.runFor(Duration.ofMillis(1));
        assertThat(a().side.memory().readLong(HERE)).isEqualTo(7);
        a().qp.post(FetchAdd.of(2, a().side.slice(HERE + 8, 8), b().remote(THERE), 1));
        world.runFor(Duration.ofMillis(1));
        assertThat(a().side.memory().readLong(HERE + 8)).isZero();
    }

    // rule atomic-sizes
    @ParameterizedTest
    @ValueSource(ints = {-8, 8})
    void aRequestWithOperandsOfAnotherSizeIsInvalid(int more) {
        connect(CONNECTX, HostMachine.DEFAULT);
        world.faults()
                .on(PacketMatch.packet().opcode(Opcode.RC_MASKED_FETCH_ADD))
                .rewrite("operands", packet -> {
                    byte[] bytes = packet.payload().toArray();
                    return packet.withPayload(Octets.copyOf(Arrays.copyOf(bytes, bytes.length + more)));
                });
        WorkCompletion done = done(add(8));
        assertThat(done.status()).isEqualTo(Status.REM_INV_REQ_ERR);
        assertThat(world.explain(done).toString())
                .contains("a %s with %d bytes of operands; an atomic of 8 bytes takes 16"
                        .formatted(Operation.MASKED_FETCH_ADD, 16 + more));
        assertThat(b().side.memory().readLong(THERE)).isZero();
    }
}
