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
 * Every value of a profile by its name, so that a person can have an adapter that differs from a model in one or the other of them.
 * Names are {@code group.value}, as {@link Profile} and its groups have them, in lower case with dashes.
 *
 * <p>Threads: any. Limits: none.
 */
public final class ProfileValues {
    private static final List<ProfileValue> ALL = Collections.unmodifiableList(all());

    private ProfileValues() {}

    /** In the order of groups. */
    public static List<ProfileValue> list() {
        return ALL;
    }

    /** A model with another value; ProfileValueException where there is no such value, or where it takes others. */
    public static Profile with(Profile profile, String name, String text) {
        Optional<ProfileValue> value =
                ALL.stream().filter(each -> each.name().equals(name)).findFirst();
        return value.orElseThrow(() -> new ProfileValueException("there is no " + name + known(name)))
                .set(profile, text);
    }

    /** The values of its group or, where there is none, the groups. */
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

        /** A whole number. */
        ProfileValue number(
                String value, long min, long max, Function<G, Integer> read, BiFunction<G, Integer, G> write) {
            return value(
                    value,
                    Notation.number(min, max),
                    group -> (long) read.apply(group),
                    (group, requested) -> write.apply(group, requested.intValue()));
        }

        /** What it does or does not. */
        ProfileValue flag(String value, Function<G, Boolean> read, BiFunction<G, Boolean, G> write) {
            return value(value, Notation.FLAG, read, write);
        }
    }
}
