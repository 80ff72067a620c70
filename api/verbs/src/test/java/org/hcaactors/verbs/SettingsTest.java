// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.util.Map;
import org.hcaactors.api.device.Profile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
    private static Settings of(String name, String value) {
        return Settings.of(Map.of(name, value), Functions.refusable());
    }

    private static Settings defaults() {
        return Settings.of(Map.of(), Functions.refusable());
    }

    @Test
    void withoutVariablesThereAreDefaults() {
        Settings settings = defaults();

        assertThat(settings.profile()).isEqualTo(Profile.CONNECTX_6);
        assertThat(settings.slower()).isEqualTo(8);
        assertThat(settings.seed()).isEmpty();
        assertThat(settings.network().connected()).isTrue();
        assertThat(settings.network().address()).isEmpty();
        assertThat(settings.network().peers()).hasSize(16).containsKey(Settings.loopback(17));
        assertThat(settings.disturbances().refusals().isEmpty()).isTrue();
    }

    @Test
    void anEmptyVariableCountsAsAbsent() {
        assertThat(of("HCA_VERBS_PROFILE", "").profile()).isEqualTo(Profile.CONNECTX_6);
    }

    @Test
    void peersMayHaveNames() {
        Map<InetAddress, String> peers =
                of("HCA_VERBS_PEERS", "127.0.0.3=b, 127.0.0.4").network().peers();

        assertThat(peers).containsEntry(Settings.loopback(3), "b").containsEntry(Settings.loopback(4), "127.0.0.4");
    }

    @Test
    void otherAddressesThanLoopbackRequireASetting() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of("HCA_VERBS_ADDRESS", "10.0.0.1"))
                .withMessageContaining("HCA_VERBS_BEYOND_LOOPBACK=on allows it");
        Map<String, String> allowed = Map.of("HCA_VERBS_ADDRESS", "10.0.0.1", "HCA_VERBS_BEYOND_LOOPBACK", "on");

        assertThat(Settings.of(allowed, Functions.refusable()).network().address())
                .hasValueSatisfying(
                        address -> assertThat(address.getHostAddress()).isEqualTo("10.0.0.1"));
    }

    @ParameterizedTest
    @CsvSource({
        "HCA_VERBS_PROFILE, ConnectX-99, allowed are ConnectX-3",
        "HCA_VERBS_NAME, a b, up to 32 letters",
        "HCA_VERBS_SEED, seven, a number of 64 bits is allowed",
        "HCA_VERBS_SLOWER, 0, a factor of 1 to 1000 is allowed",
        "HCA_VERBS_SLOWER, 1001, a factor of 1 to 1000 is allowed",
        "HCA_VERBS_SLOWER, 1.5, a factor of 1 to 1000 is allowed",
        "HCA_VERBS_NET, tcp, udp and off are allowed",
        "HCA_VERBS_ADDRESS, localhost, an address such as 127.0.0.2 is allowed",
        "HCA_VERBS_PEERS, '127.0.0.3,', an address such as 127.0.0.2 is allowed",
        "HCA_VERBS_EXPLAIN, yes, on and off are allowed",
        "HCA_VERBS_REFUSE, ibv_reg_mr, FUNCTION:NUMBER:ERRNO is allowed"
    })
    void aWrongValueIsNamedWithWhatIsAllowed(String name, String value, String words) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(name, value))
                .withMessageStartingWith(name + " is \"" + value + "\"; ")
                .withMessageContaining(words);
    }
}
