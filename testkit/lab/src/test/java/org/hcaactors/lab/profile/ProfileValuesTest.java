// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.api.capability.AtomicScope;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.firmware.FirmwareParameter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each value of a profile has a name and can be changed. */
class ProfileValuesTest {
    /** Properties that are values under another name: the scope of atomics, and the moderation period in microseconds. */
    private static final Set<String> SAID_OTHERWISE =
            Set.of("atomics.eight-bytes", "completions.max-moderation-period");

    static List<Profile> profiles() {
        return Profile.ALL;
    }

    private static Set<String> names() {
        return ProfileValues.list().stream().map(ProfileValue::name).collect(Collectors.toSet());
    }

    private static String dashed(String camel) {
        return camel.replaceAll("([a-z])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    }

    @Test
    void everyValueOfAGroupHasAName() {
        for (Method group : Profile.class.getMethods()) {
            if (group.getReturnType().getPackageName().equals("org.hcaactors.api.capability")
                    && group.getParameterCount() == 0) {
                assertThat(names()).containsAll(requested(group).toList());
            }
        }
        assertThat(names()).hasSize(ProfileValues.list().size());
    }

    private static Stream<String> requested(Method group) {
        return Stream.of(group.getReturnType().getMethods())
                .map(Method::getName)
                .filter(name -> name.matches("with[A-Z].*") && !name.matches("with(Firmware|Driver)"))
                .map(name -> dashed(group.getName()) + "." + dashed(name.substring("with".length())))
                .filter(name -> !SAID_OTHERWISE.contains(name));
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void aProfileIsDefinedByItsValues(Profile profile) {
        Profile made = Profile.of(profile.name(), profile.vendorPartId());
        for (ProfileValue value : ProfileValues.list()) {
            made = value.set(made, value.in(profile));
        }
        assertThat(made).isEqualTo(profile);
    }

    @Test
    void changingOneValueKeepsTheOthers() {
        Profile made = ProfileValues.with(Profile.CONNECTX_5, "queues.max-wr", "7");
        assertThat(made.queues()).isEqualTo(Profile.CONNECTX_5.queues().withMaxWr(7));
        assertThat(made.queues().maxSge()).isEqualTo(Profile.CONNECTX_5.queues().maxSge());
        assertThat(ProfileValues.with(made, "atomics.scope", "GLOBAL").atomics().scope())
                .isEqualTo(AtomicScope.GLOBAL);
        assertThat(ProfileValues.with(made, "quirks.retry-seven-is-forever", "yes")
                        .has(Quirk.RETRY_SEVEN_IS_FOREVER))
                .isTrue();
        assertThat(ProfileValues.with(made, "paging.rc", "send,write").paging().uses(PagingCapabilities.Transport.RC))
                .containsExactly(PagingCapabilities.Use.SEND, PagingCapabilities.Use.WRITE);
        assertThat(ProfileValues.with(made, "firmware.dcr-lifo-size", "no")
                        .firmware()
                        .range(FirmwareParameter.DCR_LIFO_SIZE))
                .isEqualTo(Optional.empty());
    }

    // rule paging-agreed
    @Test
    void aPagingFeatureOfOneSideIsUnavailable() {
        Profile without = ProfileValues.with(Profile.CONNECTX_5, "paging-driver.implicit", "no");
        assertThat(without.pagingSupport().firmware().has(PagingCapabilities.Feature.IMPLICIT))
                .isTrue();
        assertThat(without.paging().has(PagingCapabilities.Feature.IMPLICIT)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "queues.max-wr | many | queues.max-wr is many; 1 to 1048576 are allowed",
                "queues.max-wr | 0 | queues.max-wr is 0; 1 to 1048576 are allowed",
                "queues.max-wr | -1 | queues.max-wr is -1; 1 to 1048576 are allowed",
                "queues.max-wr | 99999999999999999999 | 1 to 1048576 are allowed",
                "queues.max-wrr | 7 | there is no queues.max-wrr; there are queues.max-wr, queues.max-sge, queues.max-read-sge",
                "queue.max-wr | 7 | there is no queue.max-wr; there are the groups queues, shared-receives, completions,",
                "atomics.scope | everywhere | atomics.scope is everywhere; none, hca, global are allowed",
                "atomics.masked-sizes | 4,5 | 4, 8, 16, 32, 64, 128, 256, separated by commas, and none are allowed",
                "port.max-mtu | 1500 | port.max-mtu is 1500; 256, 512, 1024, 2048 and 4096 are allowed",
                "quirks.sets-mig-req | maybe | quirks.sets-mig-req is maybe; yes and no are allowed",
                "paging.rc | send,fly | send, receive, write, read, atomic, shared-receive, separated by commas",
                "paging.max-region-bytes | 0 | 1 to 140737488355328 and unlimited are allowed",
                "firmware.ibm-capi-en | 1..0 | no, and a minimum and maximum as in 0..1 are allowed",
                "firmware.ibm-capi-en | 0..7 | the range of IBM_CAPI_EN is 0 to 7; False, True, 0 and 1 are allowed",
                "completions.max-entry-bytes | 96 | 64 and 128 are allowed",
                "memory.page-sizes | 4096 | 0x and 1 to 16 hexadecimal digits are allowed",
                "port.rate | fast | gbps-1, gbps-10, gbps-25, gbps-40, gbps-50, gbps-100, gbps-200, gbps-400 are allowed",
                "port.ack-delay-code | 32 | 0 to 31 are allowed",
                "objects.max-queue-pairs | -1 | 0 to 2147483647 are allowed",
                "identity.vendor-id | 16777216 | 0 to 16777215 are allowed",
                "identity.firmware-version | 1_2 | 1 to 63 digits, letters, dots and dashes are allowed"
            })
    void anInvalidValueIsRefusedWithTheValidOnes(String name, String text, String told) {
        assertThatThrownBy(() -> ProfileValues.with(Profile.CONNECTX_5, name, text))
                .isInstanceOf(ProfileValueException.class)
                .hasMessageContaining(told);
    }

    @Test
    void maskedAtomicsNeedPlainOnes() {
        assertThatThrownBy(() -> ProfileValues.with(Profile.NO_ATOMICS, "atomics.masked-sizes", "8"))
                .isInstanceOf(ProfileValueException.class)
                .hasMessage(
                        "atomics.masked-sizes is 8; the atomic scope is NONE; an adapter with masked atomics requires another scope");
    }
}
