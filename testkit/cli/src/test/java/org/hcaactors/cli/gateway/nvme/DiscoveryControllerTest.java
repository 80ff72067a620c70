// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway.nvme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers of the discovery controller, to the byte. */
class DiscoveryControllerTest {
    private static final int ANY = 0xffff;
    private static final int CC = 0x14;
    private static final int CSTS = 0x1c;
    private static final int ENABLED = 0x0046_0001;
    private static final int KEY = 0x1234_5678;

    private final DiscoveryController controller = controller("10.77.0.1", 4420);

    private static DiscoveryController controller(String literal, int port) {
        return new DiscoveryController(new DiscoveryData(address(literal), port, 9));
    }

    /** A literal: nothing is resolved. */
    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private NvmeStep step(Capsule capsule) {
        return controller.command(capsule.bytes());
    }

    private NvmeStep.Completion completion(Capsule capsule) {
        return (NvmeStep.Completion) step(capsule);
    }

    private NvmeStatus status(Capsule capsule) {
        return completion(capsule).status();
    }

    private NvmeStep.Completion connect(Capsule capsule, byte[] data) {
        NvmeStep.Fetch fetch = (NvmeStep.Fetch) step(capsule.data(0x1000, 1024, KEY, true));
        assertThat(fetch.from()).isEqualTo(new KeyedSgl(0x1000, 1024, KEY, true));
        return controller.fetched(fetch.command(), data);
    }

    private NvmeStep.Completion connect(Capsule capsule) {
        return connect(capsule, Capsule.connectData(ANY, DiscoveryData.SUBSYSTEM));
    }

    private void enable() {
        assertThat(connect(Capsule.connect(1)).status()).isEqualTo(NvmeStatus.SUCCESS);
        assertThat(status(Capsule.set(2, CC, ENABLED))).isEqualTo(NvmeStatus.SUCCESS);
    }

    @Test
    void connectReturnsTheControllerAndInvalidatesTheKey() {
        NvmeStep.Completion done = connect(Capsule.connect(0x0102));
        assertThat(HexFormat.of().formatHex(done.encode()))
                .isEqualTo("0900000000000000" + "0100" + "0000" + "0201" + "0000");
        assertThat(done.invalidate()).isEqualTo(OptionalInt.of(KEY));
    }

    @Test
    void anotherSubsystemIsAnInvalidParameterOfTheData() {
        NvmeStep.Completion done = connect(Capsule.connect(3), Capsule.connectData(ANY, "nqn.2014-08.org:other"));
        assertThat(HexFormat.of().formatHex(done.encode()))
                .isEqualTo("0001010000000000" + "0100" + "0000" + "0300" + "0483");
        assertThat(status(Capsule.get(4, 0, true))).isEqualTo(NvmeStatus.COMMAND_SEQUENCE_ERROR);
    }

    @Test
    void aControllerThatTheHostNamesIsAnInvalidParameter() {
        NvmeStep.Completion done = connect(Capsule.connect(1), Capsule.connectData(1, DiscoveryData.SUBSYSTEM));
        assertThat(done.status()).isEqualTo(NvmeStatus.CONNECT_INVALID_PARAMETERS);
        assertThat(done.result()).isEqualTo(0x1_0010);
    }

    @ParameterizedTest
    @CsvSource({"42, 1", "44, 0", "44, 32"})
    void anotherQueueThanTheAdminQueueIsAnInvalidParameter(int at, int value) {
        NvmeStep.Completion done = connect(Capsule.connect(1).word(at, value));
        assertThat(done.status()).isEqualTo(NvmeStatus.CONNECT_INVALID_PARAMETERS);
        assertThat(done.result()).isEqualTo(at);
    }

    @Test
    void aConnectOfAnotherFormatIsRefused() {
        assertThat(connect(Capsule.connect(1).word(40, 1)).status()).isEqualTo(NvmeStatus.CONNECT_INCOMPATIBLE_FORMAT);
    }

    @Test
    void commandsBeforeConnectAndASecondConnectAreOutOfSequence() {
        assertThat(status(Capsule.set(1, CC, ENABLED))).isEqualTo(NvmeStatus.COMMAND_SEQUENCE_ERROR);
        assertThat(status(Capsule.identify(2))).isEqualTo(NvmeStatus.COMMAND_SEQUENCE_ERROR);
        connect(Capsule.connect(3));
        assertThat(status(Capsule.identify(4))).isEqualTo(NvmeStatus.COMMAND_SEQUENCE_ERROR);
        assertThat(status(Capsule.connect(5))).isEqualTo(NvmeStatus.COMMAND_SEQUENCE_ERROR);
    }

    @Test
    void theHeadOfTheQueueGoesRound() {
        connect(Capsule.connect(1).word(44, 3));
        for (int head : new int[] {2, 3, 0, 1, 2}) {
            assertThat(completion(Capsule.get(7, CSTS, false)).head()).isEqualTo(head);
        }
    }

    @Test
    void withoutFlowControlTheHeadIsNotReported() {
        assertThat(connect(Capsule.connect(1).octet(46, 4)).head()).isEqualTo(0xffff);
    }

    @Test
    void propertiesTellWhatTheHostHasSet() {
        connect(Capsule.connect(1));
        assertThat(completion(Capsule.get(2, 0, true)).result()).isEqualTo(0x20_0f01_001fL);
        assertThat(completion(Capsule.get(3, 8, false)).result()).isEqualTo(0x1_0400);
        assertThat(completion(Capsule.get(4, CSTS, false)).result()).isZero();
        status(Capsule.set(5, CC, ENABLED));
        assertThat(completion(Capsule.get(6, CC, false)).result()).isEqualTo(ENABLED);
        assertThat(completion(Capsule.get(7, CSTS, false)).result()).isEqualTo(1);
        status(Capsule.set(8, CC, ENABLED | 1 << 14));
        assertThat(completion(Capsule.get(9, CSTS, false)).result()).isEqualTo(1 | 2 << 2);
        assertThat(status(Capsule.identify(10))).isEqualTo(NvmeStatus.COMMAND_SEQUENCE_ERROR);
    }

    @Test
    void propertiesOfOtherPlacesOrSizesAreInvalidFields() {
        connect(Capsule.connect(1));
        assertThat(status(Capsule.get(2, 0, false))).isEqualTo(NvmeStatus.INVALID_FIELD);
        assertThat(status(Capsule.get(3, 8, true))).isEqualTo(NvmeStatus.INVALID_FIELD);
        assertThat(status(Capsule.get(4, 0x68, false))).isEqualTo(NvmeStatus.INVALID_FIELD);
        assertThat(status(Capsule.set(5, CSTS, 0))).isEqualTo(NvmeStatus.INVALID_FIELD);
        assertThat(status(Capsule.set(6, CC, 0).octet(40, 1))).isEqualTo(NvmeStatus.INVALID_FIELD);
    }

    private NvmeStep.Deliver delivered(Capsule capsule) {
        return (NvmeStep.Deliver) step(capsule);
    }

    private static String text(byte[] bytes, int at, int length) {
        return new String(bytes, at, length, StandardCharsets.US_ASCII)
                .replace("\0", "")
                .strip();
    }

    @Test
    void identifyIsThatOfADiscoveryController() {
        enable();
        NvmeStep.Deliver step = delivered(Capsule.identify(3).data(0x2000, 4096, KEY, false));
        ByteBuffer data = ByteBuffer.wrap(step.data()).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(data.capacity()).isEqualTo(4096);
        assertThat(data.getShort(78)).as("controller").isEqualTo((short) 9);
        assertThat(data.getInt(80)).as("version").isEqualTo(0x1_0400);
        assertThat(data.get(111)).as("kind of controller").isEqualTo((byte) 2);
        assertThat(data.getInt(536)).as("keyed SGLs").isEqualTo(5);
        assertThat(text(step.data(), 768, 256)).isEqualTo(DiscoveryData.SUBSYSTEM);
        assertThat(step.to()).isEqualTo(new KeyedSgl(0x2000, 4096, KEY, false));
        assertThat(step.completion().invalidate()).isEmpty();
    }

    @Test
    void theLogHasOneEntryThatNamesTheControllerItself() {
        enable();
        byte[] log = delivered(Capsule.log(3, 2048, 0).data(0, 2048, KEY, true)).data();
        ByteBuffer data = ByteBuffer.wrap(log).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(data.getLong(0)).as("generation").isEqualTo(1);
        assertThat(data.getLong(8)).as("entries").isEqualTo(1);
        assertThat(Arrays.copyOfRange(log, 1024, 1034)).containsExactly(1, 1, 3, 0, 0, 0, 0xff, 0xff, 32, 0);
        assertThat(text(log, 1024 + 32, 32)).isEqualTo("4420");
        assertThat(text(log, 1024 + 256, 256)).isEqualTo(DiscoveryData.SUBSYSTEM);
        assertThat(text(log, 1024 + 512, 256)).isEqualTo("10.77.0.1");
        assertThat(Arrays.copyOfRange(log, 1024 + 768, 1024 + 771)).containsExactly(1, 4, 1);
    }

    @Test
    void anAddressOfIpVersion6HasItsOwnFamily() {
        byte[] log = new DiscoveryData(address("fd00::1"), 4421, 1).log(0, 2048);
        assertThat(log[1024 + 1]).isEqualTo((byte) 2);
        assertThat(text(log, 1024 + 512, 256)).isEqualTo("fd00:0:0:0:0:0:0:1");
    }

    @Test
    void theLogIsReadInPartsAndHasZerosBehindItsEnd() {
        enable();
        byte[] all = delivered(Capsule.log(3, 2048, 0).data(0, 2048, KEY, true)).data();
        byte[] part =
                delivered(Capsule.log(4, 4096, 1024).data(0, 4096, KEY, true)).data();
        assertThat(Arrays.copyOf(part, 1024)).isEqualTo(Arrays.copyOfRange(all, 1024, 2048));
        assertThat(Arrays.copyOfRange(part, 1024, 4096)).containsOnly(0);
    }

    @ParameterizedTest
    @CsvSource({"8196, 0", "1024, 2", "1024, 2052", "1024, -4"})
    void aPartThatIsTooLongOrOutsideIsAnInvalidField(int bytes, long offset) {
        enable();
        assertThat(status(Capsule.log(3, bytes, offset).data(0, bytes, KEY, true)))
                .isEqualTo(NvmeStatus.INVALID_FIELD);
    }

    @Test
    void anotherLogPageIsRefused() {
        enable();
        assertThat(status(Capsule.log(3, 64, 0).octet(40, 2).data(0, 64, KEY, true)))
                .isEqualTo(NvmeStatus.INVALID_LOG_PAGE);
    }

    @Test
    void onlyTheControllerIsIdentified() {
        enable();
        assertThat(status(Capsule.identify(3).data(0, 4096, KEY, true).octet(40, 0)))
                .isEqualTo(NvmeStatus.INVALID_FIELD);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4095, 4097, 0xff_ffff})
    void dataOfAnotherLengthAreRefused(int length) {
        enable();
        NvmeStep.Completion done = completion(Capsule.identify(3).data(0, length, KEY, true));
        assertThat(done.status()).isEqualTo(NvmeStatus.DATA_SGL_LENGTH_INVALID);
        assertThat(done.invalidate()).isEqualTo(OptionalInt.of(KEY));
    }

    @ParameterizedTest
    @ValueSource(ints = {0x00, 0x01, 0x20, 0x41, 0x5a})
    void anSglOfAnotherTypeIsRefused(int type) {
        enable();
        NvmeStep.Completion done =
                completion(Capsule.identify(3).data(0, 4096, KEY, true).octet(39, type));
        assertThat(done.status()).isEqualTo(NvmeStatus.SGL_DESCRIPTOR_TYPE_INVALID);
        assertThat(done.invalidate()).isEmpty();
    }

    @Test
    void aCommandWithPagesInPlaceOfAnSglIsRefused() {
        enable();
        assertThat(status(Capsule.identify(3).data(0, 4096, KEY, false).octet(1, 0)))
                .isEqualTo(NvmeStatus.INVALID_FIELD);
    }

    @Test
    void featuresOfEventsAndKeepAliveAreSet() {
        enable();
        assertThat(status(Capsule.admin(0x09, 3).octet(40, 0x0b).doubleword(44, 1 << 31)))
                .isEqualTo(NvmeStatus.SUCCESS);
        assertThat(status(Capsule.admin(0x09, 4).octet(40, 0x0f).doubleword(44, 5000)))
                .isEqualTo(NvmeStatus.SUCCESS);
        assertThat(controller.longestSilence()).isEqualTo(Duration.ofSeconds(5));
        assertThat(status(Capsule.admin(0x09, 5).octet(40, 7))).isEqualTo(NvmeStatus.INVALID_FIELD);
        assertThat(status(Capsule.admin(0x18, 6))).isEqualTo(NvmeStatus.SUCCESS);
    }

    @Test
    void theKeepAliveTimeoutIsThatOfConnectOrTwoMinutes() {
        connect(Capsule.connect(1).doubleword(48, 15_000));
        assertThat(controller.longestSilence()).isEqualTo(Duration.ofSeconds(15));
        assertThat(controller("::1", 1).longestSilence()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void oneRequestForAnEventStaysOutstanding() {
        enable();
        assertThat(step(Capsule.admin(0x0c, 3))).isEqualTo(new NvmeStep.Outstanding());
        assertThat(status(Capsule.admin(0x0c, 4))).isEqualTo(NvmeStatus.ASYNC_EVENT_LIMIT_EXCEEDED);
    }

    @Test
    void otherCommandsHaveNoOpcode() {
        enable();
        assertThat(status(Capsule.admin(0x01, 3))).isEqualTo(NvmeStatus.INVALID_OPCODE);
        assertThat(status(Capsule.get(4, 0, true).octet(4, 6))).isEqualTo(NvmeStatus.INVALID_OPCODE);
    }

    @Test
    void aShortCapsuleEndsWithInvalidField() {
        byte[] half = Arrays.copyOf(Capsule.identify(0x55).bytes(), 32);
        NvmeStep.Completion done = (NvmeStep.Completion) controller.command(half);
        assertThat(done.status()).isEqualTo(NvmeStatus.INVALID_FIELD);
        assertThat(done.command()).isEqualTo(0x55);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> controller.command(new byte[3]))
                .withMessage("its capsule has 3 bytes; a command has 64");
    }
}
