// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.firmware;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteOrder;
import java.util.List;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.capability.Platform;
import org.hcaactors.api.capability.PlatformCapabilities;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Waiter;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.firmware.FirmwareAssignment;
import org.hcaactors.api.firmware.FirmwareException;
import org.hcaactors.api.firmware.FirmwareParameter;
import org.hcaactors.api.firmware.FirmwareRefusal;
import org.hcaactors.api.firmware.Restart;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** CAPI and AS-notify exist with POWER9 processors only (rule firmware-platform). */
class PlatformTest {
    private static final HostMachine X86 = HostMachine.DEFAULT.withPlatform(Platform.X86);
    private static final HostMachine POWER9 = HostMachine.DEFAULT.withPlatform(Platform.POWER9);
    private static final Profile ALL_ON = Profile.CONNECTX_5
            .with(PlatformCapabilities.NONE.with(PlatformCapabilities.Feature.values()))
            .with(Profile.CONNECTX_5.paging().with(PagingCapabilities.Feature.HOST_TABLES));

    private final World world = World.of(9);

    @AfterEach
    void close() {
        world.close();
    }

    private Adapter adapter(Profile profile, HostMachine machine) {
        String name = "a" + world.network().adapters().size();
        return world.network().addAdapter(name, profile, LinkProperties.IDEAL, machine);
    }

    private Adapter restarted(Adapter adapter, FirmwareParameter... on) {
        for (FirmwareParameter each : on) {
            adapter.firmware().set(FirmwareAssignment.on(each));
        }
        world.await(adapter.firmware().restart(Restart.POWER_CYCLE));
        world.settle();
        return adapter;
    }

    @ParameterizedTest
    @EnumSource(
            value = FirmwareParameter.class,
            names = {"IBM_CAPI_EN", "IBM_AS_NOTIFY_EN"})
    void aPower9SettingCannotBeTurnedOnOnAnotherHost(FirmwareParameter parameter) {
        Adapter here = adapter(Profile.CONNECTX_5_IBM, X86);
        here.firmware().set(FirmwareAssignment.on(FirmwareParameter.ADVANCED_PCI_SETTINGS));
        assertThatThrownBy(() -> here.firmware().set(FirmwareAssignment.on(parameter)))
                .isInstanceOfSatisfying(
                        FirmwareException.class,
                        refused -> assertThat(refused.refusals())
                                .containsExactly(
                                        new FirmwareRefusal.OtherPlatform(parameter, Platform.POWER9, Platform.X86)))
                .hasMessageContaining("on this platform, X86; it requires POWER9");
        here.firmware().set(FirmwareAssignment.off(parameter));
        Adapter there =
                restarted(adapter(Profile.CONNECTX_5_IBM, POWER9), FirmwareParameter.ADVANCED_PCI_SETTINGS, parameter);
        assertThat(there.firmware().setting(parameter).current()).isEqualTo(1);
    }

    @Test
    void aQueueWithAsNotifyOnX86IsRefusedWithItsRequirement() {
        Adapter here = adapter(Profile.CONNECTX_5_IBM, X86);
        Waiter waiter = world.await(here.process("app").startWaiter());
        assertThatThrownBy(() -> world.await(
                        here.process("app").open().createCq(CqDescription.of(10).withWaiter(waiter))))
                .hasMessage(
                        "EOPNOTSUPP: a completion queue with AS-notify is not available: IBM_AS_NOTIFY_EN can't be set on a host of platform"
                                + " X86; it requires POWER9");
    }

    @Test
    void aFactorySettingIsOffOnAnotherProcessor() {
        Profile here = adapter(ALL_ON, X86).profile();
        assertThat(here.platform().features()).containsExactly(PlatformCapabilities.Feature.TUNNELED_ATOMIC);
        assertThat(here.paging().has(PagingCapabilities.Feature.HOST_TABLES)).isFalse();
        assertThat(here.paging().has(PagingCapabilities.Feature.EXPLICIT))
                .as("it pages as others do")
                .isTrue();
        assertThat(adapter(ALL_ON, POWER9).profile()).isEqualTo(ALL_ON);
    }

    @Test
    void aHostWithoutAPlatformHasItsAdapters() {
        assertThat(adapter(Profile.CONNECTX_5, HostMachine.DEFAULT).platform()).isEqualTo(Platform.X86);
        assertThat(adapter(Profile.CONNECTX_5_IBM, HostMachine.DEFAULT).platform())
                .isEqualTo(Platform.POWER9);
        assertThat(adapter(ALL_ON, HostMachine.DEFAULT).platform()).isEqualTo(Platform.POWER9);
        HostMachine bigEndian = HostMachine.DEFAULT.withByteOrder(ByteOrder.BIG_ENDIAN);
        assertThat(adapter(Profile.CONNECT_IB, bigEndian).platform()).isEqualTo(Platform.POWER9);
        assertThat(adapter(Profile.CONNECT_IB, bigEndian).byteOrder()).isEqualTo(ByteOrder.BIG_ENDIAN);
        assertThat(adapter(Profile.CONNECT_IB, HostMachine.DEFAULT).byteOrder()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
        assertThat(adapter(Profile.CONNECTX_5_IBM, X86).platform()).isEqualTo(Platform.X86);
        assertThat(List.of(X86.platform(), HostMachine.DEFAULT.platform()))
                .hasToString("[Optional[X86], Optional.empty]");
        assertThat(X86).isNotEqualTo(POWER9).isNotEqualTo(HostMachine.DEFAULT);
    }

    @Test
    void noX86HostIsBigEndian() {
        assertThatIllegalArgumentException().isThrownBy(() -> X86.withByteOrder(ByteOrder.BIG_ENDIAN));
        HostMachine bigEndian = POWER9.withByteOrder(ByteOrder.BIG_ENDIAN);
        assertThatIllegalArgumentException().isThrownBy(() -> bigEndian.withPlatform(Platform.X86));
        assertThat(bigEndian.platform()).hasValue(Platform.POWER9);
    }
}
