// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.atomic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.capability.PlatformCapabilities;
import org.hcaactors.api.capability.PlatformCapabilities.Feature;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.UcConnection;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.SendFlags;
import org.hcaactors.api.work.TunneledCommand;
import org.hcaactors.api.work.TunneledCommand.Function;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.lab.fault.PacketMatch;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands in the payload of a WRITE. */
class TunneledAtomicTest {
    private static final Profile IBM = Profile.CONNECTX_5.with(PlatformCapabilities.NONE.with(Feature.TUNNELED_ATOMIC));
    private static final int THERE = 4096;
    private static final int ADD_CODE = 0;

    private final World world = World.of(22);
    private final ConnectedPair pair = world.connect(
            world.network().addAdapter("a", IBM),
            world.network().addAdapter("b", IBM),
            Shape.DEFAULT.with(RcConnection.DEFAULT.withMtu(PathMtu.BYTES_256)));
    private final MemoryRegion tunneled = registered(Registration::withTunneledAtomics);

    @AfterEach
    void close() {
        world.close();
    }

    private MemoryRegion registered(UnaryOperator<Registration> as) {
        Registration whole = Registration.of(pair.b().memory()).withAccess(AccessFlags.LOCAL_AND_REMOTE);
        return world.await(pair.b().side().domain().register(as.apply(whole)));
    }

    private static byte[] command(Function function, long offset, long operand) {
        return TunneledCommand.ofLong(function, offset, operand).toBytes();
    }

    /** Returns a command with arbitrary, possibly invalid fields. */
    private static byte[] raw(int function, int logBytes, int offset, long operand) {
        return ByteBuffer.allocate(16)
                .putInt(function << 24 | logBytes << 16)
                .putInt(offset)
                .putLong(operand)
                .array();
    }

    // rule atomic-tunneled-payload
    @Test
    void aCommandIsSixteenBytesBigEndian() {
        assertThat(TunneledCommand.ofInt(Function.MAX_SIGNED, 0x0102_0304, -2).toBytes())
                .containsExactly(5, 2, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0, -1, -1, -1, -2);
        assertThat(TunneledCommand.ofLong(Function.XOR, 0xFFFF_FFF8L, 9).toBytes())
                .isEqualTo(raw(1, 3, -8, 9));
    }

    @Test
    void anInvalidCommandIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TunneledCommand.ofLong(Function.ADD, -8, 1))
                .withMessage("the offset of a command is -8; 0 to 4294967295 is allowed");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TunneledCommand(Function.ADD, 0, AtomicValue.zeros(16)))
                .withMessage("the value of a command has 16 bytes; 4 and 8 are allowed");
    }

    private WorkCompletion write(MemoryRegion to, byte[]... commands) {
        int count = 0;
        for (byte[] command : commands) {
            pair.a().memory().write(count, command);
            count += command.length;
        }
        return world.await(pair.a().submit(RdmaWrite.of(1, pair.a().slice(0, count), to.remote(THERE))));
    }

    private long there(int offset) {
        return pair.b().memory().readLong(THERE + offset);
    }

    // rules atomic-tunneled-region, atomic-tunneled-payload
    @Test
    void memoryHasTheResultOfTheCommand() {
        pair.b().memory().writeLong(THERE + 8, 40);
        WorkCompletion done = write(tunneled, command(Function.ADD, 8, 2));
        assertThat(done.status()).isEqualTo(Status.SUCCESS);
        assertThat(done.kind()).isEqualTo(CompletionKind.RDMA_WRITE);
        assertThat(there(8)).isEqualTo(42);
        assertThat(there(0)).isZero();
    }

    @Test
    void underAPlainKeyAWriteStoresTheCommandsBytes() {
        byte[] command = command(Function.ADD, 8, 2);
        assertThat(write(pair.b().region(), command).status()).isEqualTo(Status.SUCCESS);
        assertThat(pair.b().memory().read(THERE, 16)).isEqualTo(command);
    }

    // rule atomic-tunneled-command
    @ParameterizedTest
    @CsvSource({
        "0, 3, 12, 10, 22",
        "1, 3, 12, 10, 6",
        "2, 3, 12, 10, 14",
        "3, 3, 12, 10, 8",
        "4, 3, 12, -1, -1",
        "5, 3, 12, -1, 12",
        "6, 3, 12, -1, 12",
        "7, 3, 12, -1, -1",
        "0, 2, 0x1FFFFFFFF, 1, 0x100000000",
        "5, 2, 0x100000001, -1, 0x100000001",
        "6, 2, 0x1FFFFFFFF, 7, 0x100000007"
    })
    void eachFunctionChangesAValueOfItsSize(int function, int logBytes, String before, long operand, String after) {
        pair.b().memory().writeLong(THERE, Long.decode(before));
        write(tunneled, raw(function, logBytes, 0, operand));
        assertThat(there(0)).isEqualTo(Long.decode(after));
    }

    // rule atomic-tunneled-whole
    @Test
    void commandsOfSeveralPacketsAreExecutedInOrder() {
        byte[][] commands = new byte[40][];
        for (int i = 0; i < commands.length; i++) {
            commands[i] = i % 2 == 0 ? command(Function.ADD, 8 * (i / 2), 5) : command(Function.OR, 8 * (i / 2), 2);
        }
        assertThat(write(tunneled, commands).status()).isEqualTo(Status.SUCCESS);
        for (int i = 0; i < commands.length / 2; i++) {
            assertThat(there(8 * i)).isEqualTo(7);
        }
    }

    private void refusedWhole(WorkCompletion done, String reason) {
        assertThat(done.status()).isEqualTo(Status.REM_INV_REQ_ERR);
        assertThat(there(0)).as("the good command before the bad one").isZero();
        assertThat(world.explain(done).toString()).contains(reason);
    }

    // rules atomic-tunneled-payload, atomic-tunneled-whole
    @ParameterizedTest
    @CsvSource({
        "8, 3, 0, tunneled atomic 1: 0x08030000 is not a valid command header",
        "0, 1, 0, tunneled atomic 1: 0x00010000 is not a valid command header",
        "0, 4, 0, tunneled atomic 1: 0x00040000 is not a valid command header",
        "0, 3, 4, 'tunneled atomic 1 at 0x%x, which is not a multiple of 8'",
        "0, 3, 0x1000000, 'tunneled atomic 1: R_Key'"
    })
    void oneBadCommandRefusesAllOfThem(int function, int logBytes, String offset, String reason) {
        WorkCompletion done =
                write(tunneled, command(Function.ADD, 0, 1), raw(function, logBytes, Integer.decode(offset), 1));
        refusedWhole(done, reason.formatted(tunneled.remote(THERE + 4).address()));
    }

    @Test
    void aBadCommandInTheLastOfSeveralPacketsRefusesAllOfThem() {
        byte[][] commands = new byte[40][];
        for (int i = 0; i < commands.length; i++) {
            commands[i] = i == 39 ? raw(9, 3, 0, 1) : command(Function.ADD, 0, 1);
        }
        refusedWhole(write(tunneled, commands), "tunneled atomic 39: 0x09030000");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void aCommandWithNonzeroReservedBytesIsRefused(int octet) {
        byte[] odd = command(Function.ADD, 0, 1);
        odd[octet] = 1;
        refusedWhole(write(tunneled, command(Function.ADD, 0, 1), odd), "tunneled atomic 1: 0x0003");
    }

    @Test
    void anOffsetIsAPositiveNumber() {
        refusedWhole(write(tunneled, command(Function.ADD, 0, 1), raw(ADD_CODE, 3, -8, 1)), "tunneled atomic 1: R_Key");
    }

    @Test
    void aWriteWithoutCommandsHasNoEffect() {
        assertThat(write(tunneled).status()).isEqualTo(Status.SUCCESS);
        assertThat(there(0)).isZero();
    }

    /** The receive reports the message, whose commands were executed before. */
    @Test
    void aWriteWithImmediateExecutesCommandsToo() {
        pair.b().qp().postReceive(Receive.of(7, pair.b().slice(0, 0)));
        pair.a().memory().write(0, command(Function.ADD, 0, 5));
        assertThat(world.await(pair.a()
                                .submit(RdmaWrite.of(1, pair.a().slice(0, 16), tunneled.remote(THERE))
                                        .withImmediate(9)))
                        .status())
                .isEqualTo(Status.SUCCESS);
        assertThat(there(0)).isEqualTo(5);
        List<WorkCompletion> received = world.await(pair.b().recvCq().poll(1));
        assertThat(received).singleElement().satisfies(done -> {
            assertThat(done.status()).isEqualTo(Status.SUCCESS);
            assertThat(done.immediate()).hasValue(9);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {15, 17, 24})
    void aPayloadThatIsNoMultipleOfACommandIsRefused(int count) {
        refusedWhole(
                write(tunneled, new byte[count]), "a WRITE of " + count + " bytes to a region that tunnels atomics");
    }

    @Test
    void moreCommandsThanAResponderBuffersAreRefused() {
        refusedWhole(write(tunneled, new byte[(1 << 16) + 16]), "65536 are allowed");
    }

    // rule rc-duplicate
    @Test
    void aResentWriteIsNotExecutedAgain() {
        world.faults()
                .on(PacketMatch.packet().opcode(Opcode.RC_ACKNOWLEDGE))
                .between(Duration.ZERO, Duration.ofMillis(1))
                .drop();
        assertThat(write(tunneled, command(Function.ADD, 0, 1), command(Function.ADD, 0, 1))
                        .status())
                .isEqualTo(Status.SUCCESS);
        assertThat(there(0)).isEqualTo(2);
        assertThat(world.trace().events().stream().filter(HcaEvent.AtomicExecuted.class::isInstance))
                .hasSize(2);
    }

    // rules rc-duplicate, atomic-tunneled-whole
    /** A withheld part of a message is not withheld twice. */
    @ParameterizedTest
    @CsvSource({"RC_WRITE_FIRST", "RC_WRITE_MIDDLE", "RC_WRITE_LAST"})
    void aLostOrDuplicatedPacketChangesNothing(Opcode which) {
        byte[][] commands = new byte[60][];
        for (int i = 0; i < commands.length; i++) {
            commands[i] = command(Function.ADD, 8 * (i % 4), 1);
        }
        world.faults().on(PacketMatch.packet().opcode(which)).first().drop();
        world.faults().on(PacketMatch.packet().opcode(which)).duplicate();
        assertThat(write(tunneled, commands).status()).isEqualTo(Status.SUCCESS);
        for (int i = 0; i < 4; i++) {
            assertThat(there(8 * i)).isEqualTo(15);
        }
    }

    private QpPair<UcQueuePair> unreliable() {
        return world.await(QpPair.connectUc(
                pair.a().side().domain(), pair.b().side().domain(), UcConnection.DEFAULT.withMtu(PathMtu.BYTES_256)));
    }

    private void writeUnreliably(QpPair<UcQueuePair> through, byte[]... commands) {
        for (int i = 0; i < commands.length; i++) {
            pair.a().memory().write(16L * i, commands[i]);
        }
        assertThat(world.await(through.local()
                                .submit(RdmaWrite.of(
                                        1, pair.a().slice(0, 16 * commands.length), tunneled.remote(THERE))))
                        .status())
                .isEqualTo(Status.SUCCESS);
        world.settle();
    }

    // rule atomic-tunneled-whole
    @Test
    void anUnreliableConnectionDropsABadWriteAndContinues() {
        QpPair<UcQueuePair> through = unreliable();
        writeUnreliably(through, command(Function.ADD, 0, 1), raw(9, 3, 0, 1));
        assertThat(there(0)).isZero();
        writeUnreliably(through, command(Function.ADD, 0, 1), command(Function.ADD, 0, 1));
        assertThat(there(0)).isEqualTo(2);
    }

    // rule atomic-tunneled-whole
    @Test
    void anUnreliableWriteWithALostPacketIsNotExecuted() {
        QpPair<UcQueuePair> through = unreliable();
        byte[][] commands = new byte[40][];
        Arrays.fill(commands, command(Function.ADD, 0, 1));
        world.faults()
                .on(PacketMatch.packet().opcode(Opcode.UC_WRITE_MIDDLE))
                .first()
                .drop();
        writeUnreliably(through, commands);
        assertThat(there(0)).isZero();
        writeUnreliably(through, commands);
        assertThat(there(0)).isEqualTo(40);
    }

    private void refused(String reason, UnaryOperator<Registration> as) {
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> registered(as))
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(Errno.EINVAL))
                .withMessageContaining(reason);
    }

    // rule atomic-tunneled-region
    @Test
    void anUnsuitableRegionIsRefusedAtItsRegistration() {
        refused(
                "only pinned memory is allowed",
                plain -> plain.withTunneledAtomics().withOnDemandPaging());
        refused(
                "memory of the process is allowed",
                plain -> Registration.physical().withTunneledAtomics());
    }

    // rules window-post, atomic-tunneled-region
    @Test
    void aBindOfType1ToItIsRefusedWhenItIsPosted() {
        MemoryWindow window = world.await(pair.b().side().domain().allocateWindow(WindowType.TYPE_1));
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> pair.b().qp().bind(1, window, WindowBinding.of(tunneled), SendFlags.NONE))
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(Errno.EOPNOTSUPP))
                .withMessageContaining("can't have windows; only a region of host memory can");
    }

    /** Checks that an adapter of that model, with default settings, refuses. */
    private void refusedBy(Profile model, String reason) {
        ProtectionDomain domain =
                world.network().addAdapter("c", model).process("app").open().allocatePd();
        Registration requested =
                Registration.of(domain.context().process().allocate(4096)).withTunneledAtomics();
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> world.await(domain.register(requested)))
                .satisfies(refused -> assertThat(refused.errno()).isEqualTo(Errno.EINVAL))
                .withMessageContaining(reason);
    }

    @Test
    void anAdapterThatCantTunnelRefusesIt() {
        refusedBy(
                Profile.CONNECTX_5,
                "a region that tunnels atomics is not available: ConnectX-5 has neither this feature nor a firmware setting for it");
    }

    // rule firmware-activation
    @Test
    void anAdapterWithTheFeatureOffNamesItsSetting() {
        refusedBy(
                Profile.CONNECTX_5_IBM,
                "IBM_TUNNELED_ATOMIC_EN is off in ConnectX-5-IBM's firmware; set it to True, and the feature is available after the next power"
                        + " cycle");
    }

    @Test
    void withoutRemoteWriteNoCommandIsExecuted() {
        MemoryRegion readOnly =
                registered(plain -> plain.withAccess(Access.LOCAL_WRITE).withTunneledAtomics());
        assertThat(write(readOnly, command(Function.ADD, 0, 1)).status()).isEqualTo(Status.REM_ACCESS_ERR);
        assertThat(there(0)).isZero();
    }
}
