// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.profile;

import java.util.function.BiFunction;
import java.util.function.Function;
import org.hcaactors.api.device.Profile;

/**
 * One value of a profile, as text. Immutable.
 *
 * @param name {@code queues.max-wr}: group and value, named as in {@link Profile}
 */
public record ProfileValue(
        String name, String allowed, Function<Profile, String> shown, BiFunction<Profile, String, Profile> changed) {
    static <V> ProfileValue of(
            String name, Notation<V> notation, Function<Profile, V> get, BiFunction<Profile, V, Profile> set) {
        return new ProfileValue(
                name,
                notation.allowed(),
                profile -> notation.show().apply(get.apply(profile)),
                (profile, text) -> set.apply(
                        profile,
                        notation.read()
                                .apply(text)
                                .orElseThrow(() ->
                                        new ProfileValueException(name + " is " + text + "; " + notation.allowed()))));
    }

    /** Returns the value of that profile as a user would type it. */
    public String in(Profile profile) {
        return shown.apply(profile);
    }

    /**
     * Returns the profile with that value.
     *
     * @throws ProfileValueException if the value is not allowed
     */
    public Profile set(Profile profile, String text) {
        try {
            return changed.apply(profile, text);
        } catch (IllegalArgumentException refused) {
            throw new ProfileValueException(name + " is " + text + "; " + refused.getMessage(), refused);
        }
    }
}
