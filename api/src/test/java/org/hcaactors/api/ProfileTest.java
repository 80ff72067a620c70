// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.capability.AdapterFunction;
import org.hcaactors.api.capability.AtomicCapabilities;
import org.hcaactors.api.capability.CompletionCapabilities;
import org.hcaactors.api.capability.DcCapabilities;
import org.hcaactors.api.capability.DeviceFlag;
import org.hcaactors.api.capability.DeviceIdentity;
import org.hcaactors.api.capability.IndirectKeyCapabilities;
import org.hcaactors.api.capability.LinkRate;
import org.hcaactors.api.capability.ObjectCapabilities;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.capability.PlatformCapabilities;
import org.hcaactors.api.capability.PortCapabilities;
import org.hcaactors.api.capability.QueueCapabilities;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.capability.SharedReceiveCapabilities;
import org.hcaactors.api.capability.WindowCapabilities;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.firmware.FirmwareCapabilities;
import org.hcaactors.api.firmware.FirmwareParameter;
import org.hcaactors.api.firmware.ValueRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Profiles, and how they are derived from one another. */
class ProfileTest {
    static final List<Profile> ALL = Profile.ALL;

    @Test
    void aWitherChangesItsOwnComponentAlone() {
        QueueCapabilities queues = Profile.CONNECTX_5
                .queues()
                .withMaxWr(1)
                .withMaxSge(2)
                .withMaxInlineBytes(3)
                .withMaxRdAtomic(4)
                .withMaxDestRdAtomic(5)
                .withMaxInlineReceiveBytes(6)
                .withMaxReadSge(1);
        assertThat(queues).hasToString("QueueCapabilities[1, 2, 1, 3, 4, 5, 6]");
        assertThat(queues.withMaxReadSge(9).maxReadSge())
                .as("no more than others")
                .isEqualTo(2);
        SharedReceiveCapabilities receives =
                SharedReceiveCapabilities.NONE.withMaxWr(6).withMaxSge(7).withXrc(true);
        assertThat(receives).hasToString("SharedReceiveCapabilities[6, 7, true]");
        CompletionCapabilities completions = Profile.CONNECTX_5
                .completions()
                .withMaxEntries(8)
                .withVectors(9)
                .withMaxModeratedEntries(10)
                .withMaxModerationPeriod(Duration.ofSeconds(11))
                .withClockKilohertz(12)
                .withMaxEntryBytes(13);
        assertThat(completions).hasToString("CompletionCapabilities[8, 9, 10, PT11S, 12, 13]");
        PortCapabilities port = Profile.CONNECTX_5
                .port()
                .withMaxMtu(PathMtu.BYTES_512)
                .withMaxMessageBytes(13)
                .withGidTableLength(14)
                .withPkeyTableLength(15)
                .withRate(LinkRate.GBPS_25)
                .withAckDelayCode(16);
        assertThat(port).hasToString("PortCapabilities[BYTES_512, 13, 14, 15, GBPS_25, 16]");
        WindowCapabilities windows = WindowCapabilities.NONE
                .withType1(true)
                .withType2A(false)
                .withType2B(true)
                .withZeroBased(false)
                .withMaxWindows(16);
        assertThat(windows).hasToString("WindowCapabilities[true, false, true, false, 16]");
    }

    @Test
    void aWitherOfObjectsChangesItsOwnComponentAlone() {
        ObjectCapabilities objects = ObjectCapabilities.DEFAULT
                .withMaxQueuePairs(1)
                .withMaxCompletionQueues(2)
                .withMaxSharedReceiveQueues(3)
                .withMaxRegions(4)
                .withMaxDomains(5)
                .withMaxAddressHandles(6)
                .withMaxMulticastGroups(7)
                .withMaxGroupMembers(8)
                .withMaxMemberships(9);
        assertThat(objects).hasToString("ObjectCapabilities[1, 2, 3, 4, 5, 6, 7, 8, 9]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> objects.withMaxRegions(-1))
                .withMessage("the maximum of memory regions is -1; 0 and more is allowed");
    }

    @Test
    void aWitherOfTheIdentityChangesItsOwnComponentAlone() {
        DeviceIdentity identity =
                DeviceIdentity.NONE.withVendorId(0x2c9).withHardwareVersion(1).withFirmwareVersion("16.31.1014");
        assertThat(identity).hasToString("DeviceIdentity[713, 1, 16.31.1014]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> identity.withVendorId(1 << 24))
                .withMessageContaining("0 to 0xffffff is allowed");
        assertThatIllegalArgumentException().isThrownBy(() -> identity.withHardwareVersion(-1));
        for (String wrong : List.of("", "1".repeat(64), "1\n2")) {
            assertThatIllegalArgumentException().isThrownBy(() -> identity.withFirmwareVersion(wrong));
        }
    }

    // rule event-device-flags
    @Test
    void theFlagsOfADeviceFollowFromItsCapabilities() {
        assertThat(Profile.CONNECTX_5.deviceFlags())
                .containsExactlyInAnyOrderElementsOf(EnumSet.complementOf(EnumSet.of(DeviceFlag.MEM_WINDOW_TYPE_2A)));
        assertThat(Profile.CONNECT_IB.deviceFlags()).doesNotContain(DeviceFlag.MEM_WINDOW);
        assertThat(Profile.SOFT_ROCE.deviceFlags())
                .doesNotContain(DeviceFlag.XRC)
                .contains(DeviceFlag.MEM_WINDOW_TYPE_2B);
        assertThat(Profile.of("bare", 0).deviceFlags())
                .containsExactly(
                        DeviceFlag.BAD_PKEY_CNTR,
                        DeviceFlag.BAD_QKEY_CNTR,
                        DeviceFlag.CHANGE_PHY_PORT,
                        DeviceFlag.PORT_ACTIVE_EVENT,
                        DeviceFlag.SYS_IMAGE_GUID,
                        DeviceFlag.RC_RNR_NAK_GEN);
        Profile guest = Profile.CONNECTX_5.with(AdapterFunction.VIRTUAL);
        assertThat(guest.deviceFlags())
                .doesNotContain(DeviceFlag.MEM_WINDOW, DeviceFlag.MEM_WINDOW_TYPE_2B)
                .contains(DeviceFlag.MEM_MGT_EXTENSIONS);
    }

    @Test
    void responderResourcesAreThoseOfAllQueuePairs() {
        assertThat(Profile.CONNECTX_5.maxResponderResources()).isEqualTo(4_194_304);
        assertThat(Profile.CONNECTX_3.maxResponderResources()).isEqualTo(2_096_000);
        Profile many = Profile.CONNECTX_5
                .with(ObjectCapabilities.DEFAULT)
                .with(Profile.CONNECTX_5.queues().withMaxDestRdAtomic(255));
        assertThat(many.maxResponderResources()).isEqualTo(Integer.MAX_VALUE);
    }

    @ParameterizedTest
    @CsvSource({
        "0, GBPS_1",
        "1000000000, GBPS_1",
        "1000000001, GBPS_10",
        "25000000000, GBPS_25",
        "100000000000, GBPS_100",
        "900000000000, GBPS_400"
    })
    void aRateIsTheLowestThatTheBandwidthFits(long bitsPerSecond, LinkRate rate) {
        assertThat(LinkRate.of(bitsPerSecond)).isEqualTo(rate);
    }

    @Test
    void aWitherOfIndirectKeysChangesItsOwnComponentAlone() {
        IndirectKeyCapabilities keys = Profile.CONNECTX_5
                .indirectKeys()
                .withMaxEntries(1)
                .withMaxInlineEntries(2)
                .withMaxDepth(3)
                .withMaxStrideDimensions(4)
                .withMaxStrideBytes(5)
                .withMaxKeys(6);
        assertThat(keys).hasToString("IndirectKeyCapabilities[1, 2, 3, 4, 5, 6]");
        assertThat(keys.isSupported()).isTrue();
        assertThat(Profile.SOFT_ROCE.indirectKeys()).isEqualTo(IndirectKeyCapabilities.NONE);
        assertThat(IndirectKeyCapabilities.NONE.isSupported()).isFalse();
    }

    @Test
    void aProfileTakesAGroupAndKeepsTheOthers() {
        Profile plain = Profile.CONNECTX_6.with(AtomicCapabilities.NONE);
        assertThat(plain.atomics().eightBytes()).isFalse();
        assertThat(plain.with(Profile.CONNECTX_6.atomics())).isEqualTo(Profile.CONNECTX_6);
        assertThat(Profile.CONNECTX_6
                        .with(Profile.CONNECTX_5.dynamicallyConnected())
                        .with(Profile.CONNECTX_5.port())
                        .with(Profile.CONNECTX_5.identity())
                        .withModel("ConnectX-5", 4119))
                .isEqualTo(Profile.CONNECTX_5)
                .hasSameHashCodeAs(Profile.CONNECTX_5);
    }

    @ParameterizedTest
    @EnumSource
    void aQuirkIsSetAndClearedAlone(Quirk quirk) {
        Profile with = Profile.SOFT_ROCE.with(quirk);
        Profile without = with.without(quirk);
        assertThat(with.has(quirk)).isTrue();
        assertThat(without.has(quirk)).isFalse();
        assertThat(with.quirks())
                .containsAll(without.quirks())
                .hasSize(without.quirks().size() + 1);
        assertThat(List.of(with, without)).contains(Profile.SOFT_ROCE);
    }

    /** Five quirks are known only from tests of hardware by others; no built-in profile has them. */
    @ParameterizedTest
    @FieldSource("ALL")
    void noProfileHasAQuirkKnownOnlyFromReports(Profile profile) {
        assertThat(profile.quirks())
                .doesNotContain(
                        Quirk.ARM_FIRES_FOR_UNPOLLED,
                        Quirk.DROPS_POSTS_BEFORE_RTS,
                        Quirk.CHECKS_KEYS_OF_EMPTY_MESSAGES,
                        Quirk.NO_ATOMICS_THROUGH_WINDOWS,
                        Quirk.BINDS_WINDOWS_BEYOND_REGIONS);
    }

    // rule window-function
    @ParameterizedTest
    @FieldSource("ALL")
    void onlyThePhysicalFunctionHasWindows(Profile profile) {
        assertThat(profile.windows()).isNotEqualTo(WindowCapabilities.NONE);
        Profile guest = profile.with(AdapterFunction.VIRTUAL);
        assertThat(guest.windows()).isEqualTo(WindowCapabilities.NONE);
        assertThat(guest.with(AdapterFunction.PHYSICAL)).isEqualTo(profile);
    }

    static Stream<Arguments> generations() {
        return Stream.of(
                Arguments.of(Profile.CONNECTX_3, 4099, false, 0x8, false, false, 0),
                Arguments.of(Profile.CONNECT_IB, 4113, true, 0x3c, false, false, 4),
                Arguments.of(Profile.CONNECTX_4, 4115, false, 0x3c, false, false, 6),
                Arguments.of(Profile.CONNECTX_5, 4119, false, 0x3c, true, false, 6),
                Arguments.of(Profile.CONNECTX_5_IBM, 4121, false, 0x3c, true, true, 9),
                Arguments.of(Profile.CONNECTX_6, 4123, false, 0x3c, true, false, 6),
                Arguments.of(Profile.SOFT_ROCE, 0, false, 0, false, false, 0),
                Arguments.of(Profile.TINY, 0, false, 0, false, false, 0));
    }

    // rule firmware-platform
    @ParameterizedTest
    @MethodSource("generations")
    void aGenerationHasItsCapabilities(
            Profile model, int partId, boolean bigEndian, int masked, boolean implicit, boolean ibm, int settings) {
        assertThat(model.vendorPartId()).isEqualTo(partId);
        assertThat(model.atomics().eightBytes()).isTrue();
        assertThat(model.atomics().bigEndianReplies()).isEqualTo(bigEndian);
        assertThat(model.atomics().maskedSizes()).isEqualTo(masked);
        assertThat(model.paging().has(PagingCapabilities.Feature.IMPLICIT)).isEqualTo(implicit);
        assertThat(model.firmware().range(FirmwareParameter.IBM_CAPI_EN).isPresent())
                .isEqualTo(ibm);
        assertThat(model.firmware().parameters()).hasSize(settings);
        assertThat(model.platform()).isEqualTo(PlatformCapabilities.NONE);
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void aProfileIsFoundInCapitalsAndWithoutHyphens(Profile profile) {
        assertThat(Profile.find(profile.name())).hasValue(profile);
        assertThat(Profile.find(profile.name().toUpperCase(Locale.ROOT).replace("-", "")))
                .hasValue(profile);
        assertThat(Profile.find(profile.name() + "x")).isEmpty();
    }

    @Test
    void theProfileNoAtomicsHasNone() {
        assertThat(Profile.NO_ATOMICS.atomics()).isEqualTo(AtomicCapabilities.NONE);
        assertThat(Profile.NO_ATOMICS.queues()).isEqualTo(Profile.CONNECTX_5.queues());
    }

    @Test
    void aWitherOfSettingsChangesItsOwnComponentAlone() {
        FirmwareCapabilities settings = FirmwareCapabilities.NONE
                .with(FirmwareParameter.IBM_CAPI_EN)
                .with(FirmwareParameter.DCR_LIFO_SIZE, 1, 2);
        assertThat(settings.range(FirmwareParameter.DCR_LIFO_SIZE)).hasValue(new ValueRange(1, 2));
        assertThat(settings.without(FirmwareParameter.DCR_LIFO_SIZE).parameters())
                .containsExactly(FirmwareParameter.IBM_CAPI_EN);
        assertThatThrownBy(() -> settings.with(FirmwareParameter.LOG_DCR_HASH_TABLE_SIZE, 0, 32))
                .hasMessageContaining("0 to 31 are allowed");
    }

    @Test
    void aWitherOfDynamicConnectionsChangesItsOwnComponentAlone() {
        DcCapabilities group = DcCapabilities.NONE
                .withResponders(11)
                .withLogHashTable(12)
                .withVersion(1)
                .withMaxRdAtomic(13)
                .withLogStreamChannels(14)
                .withLogErroredStreams(15)
                .withIdleNanos(16);
        assertThat(group).hasToString("DcCapabilities[11, 12, 1, 13, 14, 15, 16]");
        assertThat(group.isSupported()).isTrue();
        assertThat(group.hasStreams()).isTrue();
        assertThat(group.withResponders(0).isSupported()).isFalse();
        assertThat(group.withLogStreamChannels(0).hasStreams()).isFalse();
    }

    static Stream<Arguments> beyond() {
        return Stream.of(
                Arguments.of(
                        (UnaryOperator<DcCapabilities>) all -> all.withResponders(-1),
                        "the number of responders is -1; 0 to 16777216"),
                Arguments.of(
                        (UnaryOperator<DcCapabilities>) all -> all.withResponders((1 << 24) + 1),
                        "the number of responders is 16777217"),
                Arguments.of((UnaryOperator<DcCapabilities>) all -> all.withLogHashTable(32), "0 to 31 is allowed"),
                Arguments.of((UnaryOperator<DcCapabilities>) all -> all.withVersion(2), "0 to 1 is allowed"),
                Arguments.of((UnaryOperator<DcCapabilities>) all -> all.withMaxRdAtomic(129), "0 to 128 is allowed"),
                Arguments.of(
                        (UnaryOperator<DcCapabilities>) all -> all.withLogStreamChannels(17),
                        "the log2 of the streams is 17;"),
                Arguments.of(
                        (UnaryOperator<DcCapabilities>) all -> all.withLogErroredStreams(17),
                        "the streams in error is 17; 0 to 16"),
                Arguments.of(
                        (UnaryOperator<DcCapabilities>) all -> all.withIdleNanos(-1), "0 to 60000000000 is allowed"));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("beyond")
    void aValueOutOfRangeIsRefusedWithTheAllowedOnes(UnaryOperator<DcCapabilities> change, String told) {
        assertThatThrownBy(() -> change.apply(Profile.CONNECTX_6.dynamicallyConnected()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(told);
    }

    @Test
    void moreReadsThanAnAttributeHoldsAreRefused() {
        QueueCapabilities all = QueueCapabilities.NONE.withMaxRdAtomic(255).withMaxDestRdAtomic(255);
        for (int wrong : new int[] {-1, 256}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> all.withMaxRdAtomic(wrong))
                    .withMessageContaining("is " + wrong + "; 0 to 255 is allowed");
            assertThatIllegalArgumentException().isThrownBy(() -> all.withMaxDestRdAtomic(wrong));
        }
    }

    // rule dc-generations
    @ParameterizedTest
    @CsvSource({
        "ConnectX-3, false, 0",
        "Connect-IB, true, 0",
        "ConnectX-4, true, 0",
        "ConnectX-5, true, 1",
        "ConnectX-5-IBM, true, 1",
        "ConnectX-6, true, 1",
        "Soft-RoCE, false, 0",
        "Tiny, false, 0"
    })
    void fromConnectX5OnAdaptersSpeakTheSecondGeneration(String model, boolean there, int version) {
        DcCapabilities group = Profile.find(model).orElseThrow().dynamicallyConnected();
        assertThat(group.isSupported()).isEqualTo(there);
        assertThat(group.version()).isEqualTo(version);
        assertThat(group.maxRdAtomic()).isEqualTo(there ? 16 : 0);
    }

    // rule dc-streams-there
    @ParameterizedTest
    @FieldSource("ALL")
    void onlyConnectX6HasStreams(Profile profile) {
        assertThat(profile.dynamicallyConnected().hasStreams()).isEqualTo(profile.equals(Profile.CONNECTX_6));
        assertThat(profile.dynamicallyConnected().logErroredStreams())
                .isLessThanOrEqualTo(profile.dynamicallyConnected().logStreamChannels());
    }

    @Test
    void aBareProfileHasNoCapabilities() {
        Profile bare = Profile.of("bare", 1);
        assertThat(bare.queues()).isEqualTo(QueueCapabilities.NONE);
        assertThat(bare.atomics().eightBytes()).isFalse();
        assertThat(bare.completions().canModerate()).isFalse();
        assertThat(bare.quirks()).isEmpty();
    }
}
