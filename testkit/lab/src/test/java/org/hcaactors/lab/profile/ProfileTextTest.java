// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.hcaactors.api.device.Profile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A profile in one line. */
class ProfileTextTest {
    static List<Profile> profiles() {
        return Profile.ALL;
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void aModelIsItsName(Profile model) {
        assertThat(ProfileText.of(model)).isEqualTo(model.name());
        assertThat(ProfileText.read(model.name())).isEqualTo(model);
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void aModelWithTheValuesOfAnotherIsReadAsItWasWritten(Profile model) {
        for (Profile other : Profile.ALL) {
            for (ProfileValue value : ProfileValues.list()) {
                Profile changed;
                try {
                    changed = value.set(model, value.in(other));
                } catch (ProfileValueException refused) {
                    continue;
                }
                assertThat(ProfileText.read(ProfileText.of(changed)))
                        .as(value.name() + " of " + other)
                        .isEqualTo(changed);
            }
        }
    }

    @Test
    void changedValuesFollowTheModel() {
        Profile changed = ProfileValues.with(Profile.CONNECTX_5, "queues.max-rd-atomic", "2");
        assertThat(ProfileText.of(changed)).isEqualTo("ConnectX-5 with queues.max-rd-atomic=2");
    }

    @Test
    void anInvalidProfileIsRefusedWithTheReason() {
        assertThatThrownBy(() -> ProfileText.read("ConnectX-9"))
                .isInstanceOf(ProfileValueException.class)
                .hasMessageContaining("there is no ConnectX-9; there are connectx-3");
        assertThatThrownBy(() -> ProfileText.read("ConnectX-5 with more values than this text can hold"))
                .isInstanceOf(ProfileValueException.class)
                .hasMessageContaining("is no NAME=VALUE");
        assertThatThrownBy(() -> ProfileText.read("ConnectX-5 with queues.colour=red"))
                .isInstanceOf(ProfileValueException.class)
                .hasMessageContaining("there is no queues.colour");
    }
}
