// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.profile;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.firmware.FirmwareCapabilities;
import org.hcaactors.api.firmware.FirmwareParameter;
import org.hcaactors.api.firmware.ValueRange;
import org.hcaactors.lab.profile.ProfileValues.Group;

/** Firmware parameters that a profile has, each with its range. The current setting of a parameter is not part of a profile. */
final class FirmwareValues {
    private static final Pattern RANGE = Pattern.compile("([0-9]{1,10})\\.\\.([0-9]{1,10})");
    private static final Notation<Optional<ValueRange>> VALUES = new Notation<>(
            "no, and a minimum and maximum as in 0..1 are allowed",
            FirmwareValues::read,
            range -> range.map(values -> values.min() + ".." + values.max()).orElse("no"));

    private FirmwareValues() {}

    private static Optional<Optional<ValueRange>> read(String text) {
        if (text.equals("no")) {
            return Optional.of(Optional.empty());
        }
        Matcher range = RANGE.matcher(text);
        if (!range.matches() || Long.parseLong(range.group(1)) > Long.parseLong(range.group(2))) {
            return Optional.empty();
        }
        return Optional.of(Optional.of(new ValueRange(Long.parseLong(range.group(1)), Long.parseLong(range.group(2)))));
    }

    static List<ProfileValue> list() {
        Group<FirmwareCapabilities> group = new Group<>("firmware", Profile::firmware, Profile::with);
        return Stream.of(FirmwareParameter.values())
                .map(parameter -> group.value(
                        Notation.word(parameter),
                        VALUES,
                        firmware -> firmware.range(parameter),
                        (firmware, range) -> range.map(values -> firmware.with(parameter, values.min(), values.max()))
                                .orElseGet(() -> firmware.without(parameter))))
                .toList();
    }
}
