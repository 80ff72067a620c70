// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.profile;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.hcaactors.api.device.Profile;

/**
 * All values of a profile by name, so that a user can describe an adapter that differs from a model. Names are
 * {@code group.value}, as in {@link Profile} and its groups, in lower case with dashes.
 *
 * <p>Threads: any. Limits: none.
 */
public final class ProfileValues {
    private static final List<ProfileValue> ALL = Collections.unmodifiableList(all());

    private ProfileValues() {}

    /** Returns the values in the order of their groups. */
    public static List<ProfileValue> list() {
        return ALL;
    }

    /**
     * Returns the profile with another value.
     *
     * @throws ProfileValueException if there is no such value, or if the text is not allowed
     */
    public static Profile with(Profile profile, String name, String text) {
        Optional<ProfileValue> value =
                ALL.stream().filter(each -> each.name().equals(name)).findFirst();
        return value.orElseThrow(() -> new ProfileValueException("there is no " + name + known(name)))
                .set(profile, text);
    }

    /** Returns the values of the name's group; if there is no such group, the groups. */
    private static String known(String name) {
        String group = group(name);
        List<String> values = ALL.stream()
                .map(ProfileValue::name)
                .filter(each -> each.startsWith(group + "."))
                .toList();
        return values.isEmpty()
                ? "; there are the groups "
                        + String.join(
                                ", ",
                                ALL.stream()
                                        .map(each -> group(each.name()))
                                        .distinct()
                                        .toList())
                : "; there are " + String.join(", ", values);
    }

    private static String group(String name) {
        int dot = name.indexOf('.');
        return dot < 0 ? name : name.substring(0, dot);
    }

    private static List<ProfileValue> all() {
        List<ProfileValue> all = new ArrayList<>();
        all.addAll(LimitValues.list());
        all.addAll(ObjectValues.list());
        all.addAll(AbilityValues.list());
        all.addAll(PagingValues.list());
        all.addAll(FirmwareValues.list());
        return all;
    }

    /** Values of one group of a profile. */
    record Group<G>(String name, Function<Profile, G> get, BiFunction<Profile, G, Profile> set) {
        <V> ProfileValue value(String value, Notation<V> notation, Function<G, V> read, BiFunction<G, V, G> write) {
            return ProfileValue.of(
                    name + "." + value,
                    notation,
                    profile -> read.apply(get.apply(profile)),
                    (profile, requested) -> set.apply(profile, write.apply(get.apply(profile), requested)));
        }

        /** Returns an integer value. */
        ProfileValue number(
                String value, long min, long max, Function<G, Integer> read, BiFunction<G, Integer, G> write) {
            return value(
                    value,
                    Notation.number(min, max),
                    group -> (long) read.apply(group),
                    (group, requested) -> write.apply(group, requested.intValue()));
        }

        /** Returns a yes/no value. */
        ProfileValue flag(String value, Function<G, Boolean> read, BiFunction<G, Boolean, G> write) {
            return value(value, Notation.FLAG, read, write);
        }
    }
}
