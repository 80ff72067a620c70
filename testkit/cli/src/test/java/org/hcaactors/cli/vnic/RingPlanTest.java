// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.vnic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.cli.vnic.RingParameters.Parameter;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The memory of a virtual NIC's rings (rule firmware-rings). */
class RingPlanTest {
    private static final RingHost LARGE = new RingHost(32, 64, RingHost.DEFAULT_MTU);

    private static RingPlan plan(RingHost host, String assignments) {
        RingParameters parameters = RingParameters.DEFAULT;
        for (String each : assignments.isBlank() ? new String[0] : assignments.split(" ")) {
            parameters = parameters.with(each);
        }
        return RingPlan.of(parameters, host);
    }

    @Test
    void theDefaultsOfALargeHostTake128MebibytesToReceiveInto() {
        RingPlan plan = plan(LARGE, "");
        assertThat(plan).isEqualTo(new RingPlan(32, 1024, 32, 2048, 2048));
        assertThat(plan.rxBufferBytes()).isEqualTo(128L << 20);
        assertThat(plan.txBytes()).isEqualTo(2L << 20);
        assertThat(plan.totalBytes()).isEqualTo((131L << 20));
    }

    @Test
    void fewerAndShorterRingsTakeLess() {
        assertThat(plan(LARGE, "rx_rings_num=4 rx_rings_len=512").rxBufferBytes())
                .isEqualTo(4L << 20);
    }

    @ParameterizedTest
    @CsvSource({"1, 64, 1", "8, 64, 8", "32, 4, 4", "128, 256, 32"})
    void ringsAreLimitedByProcessorsAndVectors(int processors, int vectors, int rings) {
        RingPlan plan = plan(new RingHost(processors, vectors, 1500), "");
        assertThat(plan.rxRings()).isEqualTo(rings);
        assertThat(plan.txRings()).isEqualTo(rings);
        assertThat(plan(new RingHost(processors, vectors, 1500), "rx_rings_num=7")
                        .rxRings())
                .isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource({"68, 256", "1500, 2048", "1920, 2048", "1921, 4096", "4034, 8192"})
    void aBufferHoldsAFrameAndItsOverhead(int mtu, int bytes) {
        assertThat(plan(new RingHost(1, 1, mtu), "").bufferBytes()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rx_rings_num=33 | rx_rings_num is 33; 0 to 32 are allowed, so the driver is not loaded",
                "tx_rings_num=-1 | tx_rings_num is -1; 0 to 32 are allowed, so the driver is not loaded",
                "rx_rings_len=1000 | rx_rings_len is 1000; powers of two up to 8192 are allowed, so the driver is not loaded",
                "rx_rings_len=16384 | rx_rings_len is 16384; powers of two up to 8192 are allowed, so the driver is not loaded",
                "tx_rings_len=0 | tx_rings_len is 0; powers of two up to 8192 are allowed, so the driver is not loaded",
                "lro_num=33 | lro_num is 33; 0 to 32 are allowed, so the driver is not loaded",
                "rx_rings_len=many | rx_rings_len=many is not of the form rx_rings_len=NUMBER",
                "rx_rings_len | rx_rings_len is not of the form rx_rings_len=NUMBER",
                "rings=4 | unknown parameter rings; allowed are tx_rings_num, tx_rings_len, rx_rings_num, rx_rings_len, lro_num"
            })
    void aBadValueRefusesToLoadTheDriver(String assignment, String reason) {
        assertThatThrownBy(() -> RingParameters.DEFAULT.with(assignment))
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        refused -> assertThat(refused.errno()).isEqualTo(Errno.EINVAL))
                .hasMessage("EINVAL: " + reason);
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 1500", "1, 0, 1500", "1, 1, 67", "1, 1, 4035"})
    void anImpossibleHostIsRefused(int processors, int vectors, int mtu) {
        assertThatThrownBy(() -> new RingHost(processors, vectors, mtu)).isInstanceOf(VerbsException.class);
    }

    @Test
    void ringsThatExceedTheirDomainAreNotLoaded() {
        RingHost small = new RingHost(32, 64, RingHost.DEFAULT_MTU, 100L << 20);
        assertThatThrownBy(() -> plan(small, "").load(small))
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        refused -> assertThat(refused.errno()).isEqualTo(Errno.ENOMEM))
                .hasMessageContaining(
                        "137363456 bytes a port, but the driver's domain has 104857600: increase dom0_mem, or"
                                + " lower the number and the length of the rings");
        plan(small, "rx_rings_num=4 rx_rings_len=512").load(small);
        RingHost exact = new RingHost(32, 64, RingHost.DEFAULT_MTU, 137_363_456);
        plan(exact, "").load(exact);
        plan(LARGE, "").load(LARGE);
        assertThatThrownBy(() -> new RingHost(1, 1, 1500, 0)).hasMessageContaining("at least 1 is required");
    }

    @Test
    void changedParametersAreALineForModprobe() {
        assertThat(RingParameters.DEFAULT.modprobe()).isEmpty();
        assertThat(RingParameters.DEFAULT
                        .with("rx_rings_len=512")
                        .with("tx_rings_num=2")
                        .modprobe())
                .isEqualTo("options mlx4_vnic tx_rings_num=2 rx_rings_len=512");
        assertThat(Stream.of(Parameter.values()))
                .allSatisfy(parameter -> assertThat(RingParameters.DEFAULT.value(parameter))
                        .isEqualTo(parameter.defaultValue())
                        .isLessThanOrEqualTo(parameter.max()));
    }

    @Test
    void aVirtualNicNeedsConnectX3() {
        try (World world = World.of(1)) {
            RingHost host = RingHost.of(world.adapter("a", Profile.CONNECTX_3), 8, RingHost.DEFAULT_MTU);
            assertThat(host.vectors()).isEqualTo(64);
            assertThat(host.memoryBytes()).isEqualTo(2L << 40);
        }
        for (Profile other : Profile.ALL) {
            if (!other.equals(Profile.CONNECTX_3)) {
                assertThatThrownBy(() -> RingHost.checkDriven(other)).hasMessageContaining("it supports ConnectX-3");
            }
        }
    }
}
