// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Allowed names of adapters, and the refusal of others. */
class AdapterNamesTest {
    private final World world = World.of(1);

    @AfterEach
    void close() {
        world.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "my host", "a/b", "k\u00f6ln", "$x", "\u001b[31m", "-a"})
    void anInvalidNameIsRefusedAndTheOthersContinue(String name) {
        Adapter other = world.network().addAdapter("other", Profile.CONNECTX_5);
        assertThatThrownBy(() -> world.network().addAdapter(name, Profile.CONNECTX_5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 to 64 letters, digits");
        assertThat(world.await(other.process("app").open().createCq(4)).describe())
                .isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "mlx5_0", "rack-1.host:2@x+y"})
    void lettersDigitsAndSomeMarksAreAllowedInNames(String name) {
        assertThat(world.network().addAdapter(name, Profile.CONNECTX_5).name()).isEqualTo(name);
    }

    @Test
    @SuppressWarnings("NullAway") // this is refused
    void aPathWithoutADestinationIsRefusedAtOnce() {
        assertThatThrownBy(() -> GlobalRoute.to(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("destination");
    }
}
