// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.firmware;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.api.firmware.FirmwareParameter.ADVANCED_PCI_SETTINGS;
import static org.hcaactors.api.firmware.FirmwareParameter.DCR_LIFO_SIZE;
import static org.hcaactors.api.firmware.FirmwareParameter.IBM_AS_NOTIFY_EN;
import static org.hcaactors.api.firmware.FirmwareParameter.IBM_CAPI_EN;
import static org.hcaactors.api.firmware.FirmwareParameter.IBM_TUNNELED_ATOMIC_EN;
import static org.hcaactors.api.firmware.FirmwareParameter.LOG_DCR_HASH_TABLE_SIZE;
import static org.hcaactors.api.firmware.FirmwareParameter.LOG_MAX_OUTSTANDING_READ_ATOMIC;
import static org.hcaactors.api.firmware.FirmwareParameter.LOG_MAX_OUTSTANDING_WQE;
import static org.hcaactors.api.firmware.FirmwareParameter.MEMIC_ATOMIC;
import static org.hcaactors.api.firmware.FirmwareParameter.PCI_ATOMIC_MODE;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.hcaactors.api.capability.AdapterFunction;
import org.hcaactors.api.capability.AtomicCapabilities;
import org.hcaactors.api.capability.AtomicScope;
import org.hcaactors.api.capability.DcCapabilities;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.capability.Platform;
import org.hcaactors.api.capability.PlatformCapabilities;
import org.hcaactors.api.capability.PlatformCapabilities.Feature;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.firmware.FirmwareAssignment;
import org.hcaactors.api.firmware.FirmwareException;
import org.hcaactors.api.firmware.FirmwareParameter;
import org.hcaactors.api.firmware.FirmwareRefusal;
import org.hcaactors.api.firmware.FirmwareSetting;
import org.hcaactors.api.firmware.Restart;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Firmware settings: allowed values, activation, and effects. */
class FirmwareImageTest {
    static final List<Profile> ALL = Profile.ALL;

    private final FirmwareImage ibm = new FirmwareImage(Profile.CONNECTX_5_IBM);

    private FirmwareSettings set(FirmwareSettings now, String... requested) {
        return ibm.set(now, Stream.of(requested).map(FirmwareAssignment::parse).toList());
    }

    private FirmwareSettings set(String... requested) {
        return set(FirmwareSettings.DEFAULTS, requested);
    }

    private static List<FirmwareRefusal> refusals(Runnable verb) {
        try {
            verb.run();
        } catch (FirmwareException refused) {
            return refused.refusals();
        }
        throw new AssertionError("it was done");
    }

    // rule firmware-levels
    @Test
    void anAssignedValueIsNextAndNotCurrentUntilTheRestart() {
        FirmwareSettings set = set("IBM_AS_NOTIFY_EN=1");
        FirmwareSetting before = ibm.row(set, IBM_AS_NOTIFY_EN);
        assertThat(List.of(before.defaultValue(), before.current(), before.next()))
                .containsExactly(0L, 0L, 1L);
        assertThat(before.pending()).isTrue();
        assertThat(before.marked()).isTrue();
        assertThat(ibm.effective(set)).isEqualTo(Profile.CONNECTX_5_IBM);
        FirmwareSetting after = ibm.row(ibm.restarted(set, Restart.POWER_CYCLE), IBM_AS_NOTIFY_EN);
        assertThat(List.of(after.defaultValue(), after.current(), after.next())).containsExactly(0L, 1L, 1L);
        assertThat(after.pending()).isFalse();
        assertThat(after.marked()).as("it is not the default").isTrue();
    }

    // rule firmware-levels
    @ParameterizedTest
    @FieldSource("ALL")
    void withoutSettingsAnAdapterHasItsModelsProfile(Profile model) {
        FirmwareImage image = new FirmwareImage(model);
        FirmwareSettings started = image.restarted(FirmwareSettings.DEFAULTS, Restart.POWER_CYCLE);
        assertThat(started).isEqualTo(FirmwareSettings.DEFAULTS);
        assertThat(image.effective(started)).isSameAs(model);
        assertThat(image.rows(started)).allSatisfy(row -> {
            assertThat(row.marked()).isFalse();
            assertThat(row.allowed().contains(row.defaultValue())).isTrue();
        });
    }

    // rule firmware-activation
    @ParameterizedTest
    @CsvSource({
        "ADVANCED_PCI_SETTINGS, false, false, true",
        "IBM_CAPI_EN, false, false, true",
        "IBM_AS_NOTIFY_EN, false, false, true",
        "IBM_TUNNELED_ATOMIC_EN, false, false, true",
        "LOG_DCR_HASH_TABLE_SIZE, true, true, true",
        "DCR_LIFO_SIZE, true, true, true",
        "PCI_ATOMIC_MODE, true, true, true",
        "LOG_MAX_OUTSTANDING_READ_ATOMIC, true, true, true",
        "LOG_MAX_OUTSTANDING_WQE, true, true, true"
    })
    void eachParameterWaitsForItsKindOfRestart(
            FirmwareParameter parameter, boolean reset, boolean reboot, boolean cycle) {
        long other =
                ibm.row(set("ADVANCED_PCI_SETTINGS=1"), parameter).allowed().max();
        FirmwareSettings set =
                ibm.set(set("ADVANCED_PCI_SETTINGS=1"), List.of(new FirmwareAssignment(parameter, other)));
        assertThat(ibm.row(set, parameter).pending()).isTrue();
        assertThat(isActive(set, parameter, Restart.FIRMWARE_RESET)).isEqualTo(reset);
        assertThat(isActive(set, parameter, Restart.WARM_REBOOT)).isEqualTo(reboot);
        assertThat(isActive(set, parameter, Restart.POWER_CYCLE)).isEqualTo(cycle);
    }

    private boolean isActive(FirmwareSettings set, FirmwareParameter parameter, Restart how) {
        return !ibm.row(ibm.restarted(set, how), parameter).pending();
    }

    // rule firmware-dependency
    @Test
    void capiIsHiddenUntilAdvancedSettingsAreOnAtTheNextStart() {
        assertThat(ibm.rows(FirmwareSettings.DEFAULTS)).noneMatch(row -> row.parameter() == IBM_CAPI_EN);
        assertThat(refusals(() -> set("IBM_CAPI_EN=1")))
                .containsExactly(new FirmwareRefusal.Hidden(IBM_CAPI_EN, ADVANCED_PCI_SETTINGS));
        assertThat(refusals(() -> ibm.row(FirmwareSettings.DEFAULTS, IBM_CAPI_EN)))
                .containsExactly(new FirmwareRefusal.Hidden(IBM_CAPI_EN, ADVANCED_PCI_SETTINGS));
        assertThat(set(set("ADVANCED_PCI_SETTINGS=true"), "IBM_CAPI_EN=true").next())
                .as("one command after the other, and no start between")
                .containsEntry(IBM_CAPI_EN, 1L);
    }

    // rule firmware-dependency
    @Test
    void aDependencyIncludesTheSameCommandsAssignmentsInAnyOrder() {
        assertThat(set("IBM_CAPI_EN=1", "ADVANCED_PCI_SETTINGS=1").next()).hasSize(2);
        FirmwareSettings both = set("ADVANCED_PCI_SETTINGS=1", "IBM_CAPI_EN=1");
        assertThat(refusals(() -> set(both, "IBM_CAPI_EN=0", "ADVANCED_PCI_SETTINGS=0")))
                .containsExactly(new FirmwareRefusal.Hidden(IBM_CAPI_EN, ADVANCED_PCI_SETTINGS));
    }

    // rule firmware-dependency
    @Test
    void aHiddenParameterCountsAsOffAtTheNextStartAndKeepsItsValue() {
        FirmwareSettings on = ibm.restarted(set("ADVANCED_PCI_SETTINGS=1", "IBM_CAPI_EN=1"), Restart.POWER_CYCLE);
        assertThat(hostTables(on)).isTrue();
        FirmwareSettings hidden = set(on, "ADVANCED_PCI_SETTINGS=0");
        assertThat(ibm.rows(hidden)).noneMatch(row -> row.parameter() == IBM_CAPI_EN);
        assertThat(hostTables(hidden)).as("until the next start").isTrue();
        FirmwareSettings off = ibm.restarted(hidden, Restart.POWER_CYCLE);
        assertThat(hostTables(off)).isFalse();
        FirmwareSettings shown = set(off, "ADVANCED_PCI_SETTINGS=1");
        assertThat(ibm.row(shown, IBM_CAPI_EN).next()).isEqualTo(1);
        assertThat(ibm.row(shown, IBM_CAPI_EN).current()).isZero();
    }

    private boolean hostTables(FirmwareSettings settings) {
        return ibm.effective(settings).paging().has(PagingCapabilities.Feature.HOST_TABLES);
    }

    // rule firmware-dependency
    @Test
    void onlyCapiDependsOnAdvancedSettings() {
        assertThat(Stream.of(FirmwareParameter.values())
                        .filter(each -> each.requiredParameter().isPresent()))
                .containsExactly(IBM_CAPI_EN);
        assertThat(set("IBM_AS_NOTIFY_EN=1", "IBM_TUNNELED_ATOMIC_EN=1").next()).hasSize(2);
    }

    // rule firmware-all-or-nothing
    @Test
    void allInvalidAssignmentsAreReportedAndNoneIsStored() {
        List<FirmwareAssignment> requested = List.of(
                FirmwareAssignment.on(IBM_AS_NOTIFY_EN),
                FirmwareAssignment.on(IBM_CAPI_EN),
                FirmwareAssignment.on(MEMIC_ATOMIC),
                new FirmwareAssignment(LOG_MAX_OUTSTANDING_READ_ATOMIC, 8),
                FirmwareAssignment.off(IBM_AS_NOTIFY_EN));
        assertThat(refusals(() -> ibm.set(FirmwareSettings.DEFAULTS, requested)))
                .extracting(FirmwareRefusal::message)
                .containsExactly(
                        "The parameter IBM_AS_NOTIFY_EN is assigned twice; once is allowed",
                        "The Device doesn't support IBM_CAPI_EN parameter while ADVANCED_PCI_SETTINGS is off at the next"
                                + " boot; set ADVANCED_PCI_SETTINGS=True first or in the same call",
                        "The Device doesn't support MEMIC_ATOMIC parameter",
                        "Failed to set LOG_MAX_OUTSTANDING_READ_ATOMIC to 8; 0 to 7 are allowed");
    }

    // rule firmware-platform
    @ParameterizedTest
    @EnumSource(
            value = FirmwareParameter.class,
            names = {"IBM_CAPI_EN", "IBM_AS_NOTIFY_EN", "IBM_TUNNELED_ATOMIC_EN"})
    void parametersOfAnotherBrandAreUnsupportedOnAPlainAdapter(FirmwareParameter parameter) {
        for (Profile plain : List.of(Profile.CONNECTX_4, Profile.CONNECTX_5, Profile.CONNECTX_6, Profile.CONNECT_IB)) {
            FirmwareImage image = new FirmwareImage(plain);
            assertThat(refusals(() -> image.set(FirmwareSettings.DEFAULTS, List.of(FirmwareAssignment.on(parameter)))))
                    .containsExactly(new FirmwareRefusal.Unsupported(parameter));
        }
    }

    // rule firmware-all-or-nothing
    @Test
    void aPieceOfSoftwareHasNoSettings() {
        FirmwareImage rxe = new FirmwareImage(Profile.SOFT_ROCE);
        assertThat(rxe.rows(FirmwareSettings.DEFAULTS)).isEmpty();
        assertThat(refusals(() ->
                        rxe.set(FirmwareSettings.DEFAULTS, List.of(FirmwareAssignment.on(ADVANCED_PCI_SETTINGS)))))
                .containsExactly(new FirmwareRefusal.NoFirmware("Soft-RoCE"));
    }

    // rule firmware-read-only
    @Test
    void aVirtualFunctionShowsTheSettingsAndRefusesChanges() {
        FirmwareImage guest = new FirmwareImage(Profile.CONNECTX_5_IBM.with(AdapterFunction.VIRTUAL));
        assertThat(guest.rows(FirmwareSettings.DEFAULTS)).isNotEmpty().allMatch(FirmwareSetting::readOnly);
        assertThat(refusals(
                        () -> guest.set(FirmwareSettings.DEFAULTS, List.of(FirmwareAssignment.on(IBM_AS_NOTIFY_EN)))))
                .containsExactly(new FirmwareRefusal.ReadOnly(IBM_AS_NOTIFY_EN));
        assertThat(refusals(() -> guest.reset(FirmwareSettings.DEFAULTS, List.of(IBM_AS_NOTIFY_EN))))
                .containsExactly(new FirmwareRefusal.ReadOnly(IBM_AS_NOTIFY_EN));
        assertThatThrownBy(() -> guest.reset(FirmwareSettings.DEFAULTS)).isInstanceOf(FirmwareException.class);
    }

    // rule firmware-reset
    @Test
    void aResetMakesTheDefaultsNextAndKeepsTheCurrentValues() {
        FirmwareSettings on = ibm.restarted(
                set("ADVANCED_PCI_SETTINGS=1", "IBM_CAPI_EN=1", "IBM_AS_NOTIFY_EN=1"), Restart.POWER_CYCLE);
        FirmwareSettings one = ibm.reset(on, List.of(IBM_AS_NOTIFY_EN));
        assertThat(one.next()).containsOnlyKeys(ADVANCED_PCI_SETTINGS, IBM_CAPI_EN);
        assertThat(one.current()).isEqualTo(on.current());
        FirmwareSettings hidden = ibm.reset(on, List.of(ADVANCED_PCI_SETTINGS));
        assertThat(refusals(() -> ibm.reset(hidden, List.of(IBM_CAPI_EN, MEMIC_ATOMIC, IBM_AS_NOTIFY_EN))))
                .containsExactly(
                        new FirmwareRefusal.Hidden(IBM_CAPI_EN, ADVANCED_PCI_SETTINGS),
                        new FirmwareRefusal.Unsupported(MEMIC_ATOMIC));
        FirmwareSettings all = ibm.reset(hidden);
        assertThat(all).isEqualTo(new FirmwareSettings(on.current(), Map.of()));
        assertThat(ibm.effective(ibm.restarted(all, Restart.POWER_CYCLE))).isEqualTo(Profile.CONNECTX_5_IBM);
    }

    static Stream<Arguments> effects() {
        Profile ibm = Profile.CONNECTX_5_IBM;
        return Stream.of(
                effect(IBM_TUNNELED_ATOMIC_EN, 1, p -> p.platform().features(), List.of(Feature.TUNNELED_ATOMIC)),
                effect(IBM_AS_NOTIFY_EN, 1, p -> p.platform().features(), List.of(Feature.AS_NOTIFY)),
                effect(IBM_CAPI_EN, 1, p -> p.paging().has(PagingCapabilities.Feature.HOST_TABLES), true),
                effect(
                        LOG_DCR_HASH_TABLE_SIZE,
                        12,
                        p -> p.dynamicallyConnected().logHashTable(),
                        12),
                effect(DCR_LIFO_SIZE, 9999, p -> p.dynamicallyConnected().responders(), 10_000),
                effect(
                        DCR_LIFO_SIZE,
                        4095,
                        Profile::dynamicallyConnected,
                        Profile.CONNECTX_5_IBM.dynamicallyConnected()),
                effect(PCI_ATOMIC_MODE, 0, Profile::atomics, ibm.atomics()),
                effect(PCI_ATOMIC_MODE, 1, Profile::atomics, ibm.atomics().withScope(AtomicScope.GLOBAL)),
                effect(PCI_ATOMIC_MODE, 2, Profile::atomics, AtomicCapabilities.NONE.withScope(AtomicScope.GLOBAL)),
                effect(PCI_ATOMIC_MODE, 3, Profile::atomics, ibm.atomics()),
                effect(PCI_ATOMIC_MODE, 4, Profile::atomics, ibm.atomics().withScope(AtomicScope.GLOBAL)),
                effect(LOG_MAX_OUTSTANDING_READ_ATOMIC, 0, p -> p.queues().maxRdAtomic(), 16),
                effect(LOG_MAX_OUTSTANDING_READ_ATOMIC, 2, p -> p.queues().maxRdAtomic(), 4),
                effect(LOG_MAX_OUTSTANDING_READ_ATOMIC, 7, p -> p.queues().maxDestRdAtomic(), 128),
                effect(
                        LOG_MAX_OUTSTANDING_READ_ATOMIC,
                        3,
                        Profile::dynamicallyConnected,
                        Profile.CONNECTX_5_IBM.dynamicallyConnected().withMaxRdAtomic(8)),
                effect(LOG_MAX_OUTSTANDING_WQE, 0, p -> p.queues().maxWr(), 32_768),
                effect(LOG_MAX_OUTSTANDING_WQE, 10, p -> p.queues().maxWr(), 1024),
                effect(LOG_MAX_OUTSTANDING_WQE, 31, p -> p.queues().maxWr(), 32_768));
    }

    private static <T> Arguments effect(FirmwareParameter parameter, long value, Function<Profile, T> of, Object is) {
        return Arguments.of(parameter, value, of, is);
    }

    // rules firmware-effect, firmware-pci-atomics, firmware-queue-limits
    @ParameterizedTest(name = "{0}={1}: {3}")
    @MethodSource("effects")
    void anActiveSettingChangesItsCapability(
            FirmwareParameter parameter, long value, Function<Profile, Object> of, Object expected) {
        FirmwareSettings unlocked = set("ADVANCED_PCI_SETTINGS=1");
        FirmwareSettings set = ibm.set(unlocked, List.of(new FirmwareAssignment(parameter, value)));
        assertThat(ibm.effective(set)).isEqualTo(Profile.CONNECTX_5_IBM);
        Object effect = of.apply(ibm.effective(ibm.restarted(set, Restart.POWER_CYCLE)));
        assertThat(effect instanceof Iterable<?> many ? List.copyOf((java.util.Collection<?>) many) : effect)
                .isEqualTo(expected);
    }

    // rule firmware-queue-limits
    @ParameterizedTest
    @ValueSource(longs = {8, 30, 31})
    void noSettingExceedsTheReadsAndAtomicsOfAQueuePair(long log) {
        Profile whole = Profile.CONNECTX_5.with(Profile.CONNECTX_5.firmware().with(LOG_MAX_OUTSTANDING_READ_ATOMIC));
        FirmwareImage image = new FirmwareImage(whole);
        FirmwareSettings set = image.set(
                FirmwareSettings.DEFAULTS, List.of(new FirmwareAssignment(LOG_MAX_OUTSTANDING_READ_ATOMIC, log)));
        Profile active = image.effective(image.restarted(set, Restart.POWER_CYCLE));
        assertThat(active.queues().maxRdAtomic()).isEqualTo(128);
        assertThat(active.queues().maxDestRdAtomic()).isEqualTo(128);
    }

    // rule firmware-effect
    @Test
    void aModelsFeatureIsOnByDefaultAndCanBeTurnedOff() {
        Profile on = Profile.CONNECTX_5_IBM.with(PlatformCapabilities.NONE.with(Feature.values()));
        FirmwareImage image = new FirmwareImage(on);
        assertThat(image.row(FirmwareSettings.DEFAULTS, IBM_AS_NOTIFY_EN).defaultValue())
                .isEqualTo(1);
        FirmwareSettings off = image.restarted(
                image.set(FirmwareSettings.DEFAULTS, List.of(FirmwareAssignment.off(IBM_AS_NOTIFY_EN))),
                Restart.POWER_CYCLE);
        assertThat(image.effective(off).platform().features()).containsExactly(Feature.TUNNELED_ATOMIC);
    }

    // rule firmware-effect
    @ParameterizedTest
    @EnumSource(names = {"DCR_LIFO_SIZE", "LOG_DCR_HASH_TABLE_SIZE", "LOG_MAX_OUTSTANDING_READ_ATOMIC"})
    void anAdapterWithoutDynamicConnectionsGetsNoneByASetting(FirmwareParameter parameter) {
        Profile without = Profile.CONNECTX_5.with(DcCapabilities.NONE);
        FirmwareImage image = new FirmwareImage(without.with(without.firmware().with(parameter)));
        assertThat(image.row(FirmwareSettings.DEFAULTS, parameter).defaultValue())
                .isZero();
        FirmwareSettings set = image.set(FirmwareSettings.DEFAULTS, List.of(new FirmwareAssignment(parameter, 3)));
        assertThat(image.effective(image.restarted(set, Restart.POWER_CYCLE)).dynamicallyConnected())
                .isEqualTo(DcCapabilities.NONE);
    }

    // rule firmware-pci-atomics
    @Test
    void anAdapterWithoutAtomicsGetsNoneByASetting() {
        FirmwareImage none = new FirmwareImage(Profile.CONNECTX_5.with(AtomicCapabilities.NONE));
        FirmwareSettings set = none.set(FirmwareSettings.DEFAULTS, List.of(new FirmwareAssignment(PCI_ATOMIC_MODE, 4)));
        assertThat(none.effective(none.restarted(set, Restart.WARM_REBOOT)).atomics())
                .isEqualTo(AtomicCapabilities.NONE);
    }

    // rule firmware-types
    @ParameterizedTest
    @CsvSource({
        "IBM_CAPI_EN=true, 1",
        "IBM_CAPI_EN=TRUE, 1",
        "ibm_capi_en=1, 1",
        "IBM_CAPI_EN=False, 0",
        "IBM_CAPI_EN=0, 0",
        "PCI_ATOMIC_MODE=4, 4",
        "PCI_ATOMIC_MODE=pci_atomic_enabled_ext_atomic_disabled, 2",
        "DCR_LIFO_SIZE=0xfff, 4095",
        "DCR_LIFO_SIZE=4095, 4095"
    })
    void valuesAreReadInEveryUsualNotation(String text, long value) {
        assertThat(FirmwareAssignment.parse(text).value()).isEqualTo(value);
    }

    // rule firmware-types
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "IBM_CAPI_EN=2 | Failed to set IBM_CAPI_EN to 2; False, True, 0 and 1 are allowed",
                "IBM_CAPI_EN= | Failed to set IBM_CAPI_EN to ; False, True, 0 and 1 are allowed",
                "DCR_LIFO_SIZE=-1 | Failed to set DCR_LIFO_SIZE to -1; 0 to 16777215 are allowed",
                "DCR_LIFO_SIZE=many | Failed to set DCR_LIFO_SIZE to many; 0 to 16777215 are allowed",
                "DCR_LIFO_SIZE=0x | Failed to set DCR_LIFO_SIZE to 0x; 0 to 16777215 are allowed",
                "DCR_LIFO_SIZE=99999999999999999999 | Failed to set DCR_LIFO_SIZE to 99999999999999999999; 0 to 16777215 are allowed",
                "IBM_CAPI_EN | Bad argument \"IBM_CAPI_EN\"; NAME=value is allowed",
                "=1 | Bad argument \"=1\"; NAME=value is allowed"
            })
    void anInvalidValueIsReportedWithTheAllowedOnes(String text, String words) {
        assertThatThrownBy(() -> FirmwareAssignment.parse(text))
                .isInstanceOf(FirmwareException.class)
                .hasMessage(words);
    }

    // rule firmware-types
    @Test
    void aRangeOfTheDeviceIsNarrowerThanItsTypes() {
        assertThat(refusals(() -> set("LOG_DCR_HASH_TABLE_SIZE=31")))
                .singleElement()
                .satisfies(reason -> assertThat(reason.message())
                        .isEqualTo("Failed to set LOG_DCR_HASH_TABLE_SIZE to 31; 11 to 20 are allowed"));
        assertThat(refusals(() -> set("PCI_ATOMIC_MODE=5")))
                .singleElement()
                .satisfies(reason -> assertThat(reason.message())
                        .startsWith("Failed to set PCI_ATOMIC_MODE to 5; PCI_ATOMIC_DISABLED_EXT_ATOMIC_ENABLED(0), "));
    }

    @Test
    void anUnknownParameterIsReportedWithTheKnownOnes() {
        assertThatThrownBy(() -> FirmwareAssignment.parse("IBM_CAPPI_EN=1"))
                .hasMessageStartingWith("Unknown Parameter: IBM_CAPPI_EN; the parameters are ADVANCED_PCI_SETTINGS, ");
    }

    // rule firmware-platform
    @Test
    void aPower9SettingHasNoEffectOnAnotherHost() {
        FirmwareSettings there = ibm.restarted(
                set("ADVANCED_PCI_SETTINGS=1", "IBM_CAPI_EN=1", "IBM_AS_NOTIFY_EN=1"), Restart.POWER_CYCLE);
        assertThat(ibm.effective(there)).isNotEqualTo(Profile.CONNECTX_5_IBM);
        FirmwareImage elsewhere = new FirmwareImage(Profile.CONNECTX_5_IBM, Platform.X86);
        assertThat(elsewhere.effective(there)).isEqualTo(Profile.CONNECTX_5_IBM);
        FirmwareSettings started = elsewhere.restarted(there, Restart.POWER_CYCLE);
        assertThat(elsewhere.row(started, IBM_AS_NOTIFY_EN).current()).isZero();
        assertThat(elsewhere.row(started, IBM_AS_NOTIFY_EN).next())
                .as("it is kept")
                .isEqualTo(1);
        assertThat(ibm.effective(ibm.restarted(started, Restart.POWER_CYCLE))).isEqualTo(ibm.effective(there));
    }
}
