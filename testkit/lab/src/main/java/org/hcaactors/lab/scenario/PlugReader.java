// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.util.Locale;
import java.util.stream.Collectors;
import org.hcaactors.api.device.Profile;
import org.hcaactors.lab.hocon.Section;
import org.hcaactors.lab.scenario.Scenario.Plug;

/** Reads an adapter: its model, what its firmware is set to, and the machine that it sits in. */
final class PlugReader {
    private PlugReader() {}

    static Plug read(String name, Section keys) {
        keys.only("profile", "firmware", "memory", "environment");
        Profile profile = keys.has("profile") ? profile(keys) : Profile.CONNECTX_5;
        return new Plug(
                name,
                profile,
                FirmwareReader.settings(keys, profile),
                MachineReader.machine(keys),
                MachineReader.environment(keys));
    }

    private static Profile profile(Section adapter) {
        return Profile.named(adapter.text("profile"))
                .orElseThrow(() -> adapter.wrong(
                        "profile",
                        "there is no " + adapter.text("profile") + "; allowed are "
                                + Profile.ALL.stream()
                                        .map(profile -> profile.name().toLowerCase(Locale.ROOT))
                                        .collect(Collectors.joining(", "))));
    }
}
