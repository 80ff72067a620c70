// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.device.Profile;
import org.hcaactors.lab.hocon.Section;
import org.hcaactors.lab.profile.ProfileValue;
import org.hcaactors.lab.profile.ProfileValueException;
import org.hcaactors.lab.profile.ProfileValues;
import org.hcaactors.lab.scenario.Scenario.Plug;

/** Reads an adapter: its model, firmware settings and host machine. */
final class AdapterReader {
    private AdapterReader() {}

    /**
     * @param verbsTakeTime true if verb times of the profile apply; otherwise they are refused, as they would have no effect
     */
    static Plug read(String name, Section keys, boolean verbsTakeTime) {
        keys.only("profile", "with", "firmware", "platform", "memory", "locked-memory", "environment");
        Profile model = keys.has("profile") ? profile(keys) : Profile.CONNECTX_5;
        Profile profile = keys.has("with") ? with(model, keys.section("with"), verbsTakeTime) : model;
        HostMachine machine = MachineReader.machine(keys);
        return new Plug(
                name,
                profile,
                FirmwareReader.settings(keys, profile, machine),
                machine,
                MachineReader.environment(keys));
    }

    /** A value with its location in the file. */
    private record Other(String name, Section keys, String key) {
        // rules memory-verb-times, notify-times
        boolean isTime() {
            return name.startsWith("times.");
        }

        Profile in(Profile model) {
            try {
                return ProfileValues.with(model, name, String.join(",", keys.names(key)));
            } catch (ProfileValueException refused) {
                throw keys.wrong(key, refused.words());
            }
        }
    }

    /**
     * Returns the model with other values, {@code queues { max-wr = 16 }}, set in the order of profiles because some values
     * depend on others.
     */
    private static Profile with(Profile model, Section keys, boolean verbsTakeTime) {
        others(keys, "")
                .filter(other -> !verbsTakeTime && other.isTime())
                .findFirst()
                .ifPresent(other -> {
                    throw other.keys.wrong(
                            other.key, "has an effect only with verbs-take-time = true, which is required");
                });
        List<String> order =
                ProfileValues.list().stream().map(ProfileValue::name).toList();
        return others(keys, "")
                .sorted(Comparator.comparing(other -> order.indexOf(other.name)))
                .reduce(model, (made, other) -> other.in(made), (one, two) -> two);
    }

    private static Stream<Other> others(Section keys, String group) {
        return keys.keys().stream()
                .flatMap(key -> keys.isObject(key)
                        ? others(keys.section(key), group + key + ".")
                        : Stream.of(new Other(group + key, keys, key)));
    }

    private static Profile profile(Section adapter) {
        return Profile.find(adapter.text("profile"))
                .orElseThrow(() -> adapter.wrong(
                        "profile",
                        "there is no " + adapter.text("profile") + "; allowed are "
                                + Profile.ALL.stream()
                                        .map(profile -> profile.name().toLowerCase(Locale.ROOT))
                                        .collect(Collectors.joining(", "))));
    }
}
