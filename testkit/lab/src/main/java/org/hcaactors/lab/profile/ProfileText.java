// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.profile;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hcaactors.api.device.Profile;

/**
 * A profile in one line: its model and the values that differ from the model, {@code connectx-5 with queues.max-wr=16
 * queues.max-sge=4}. Threads: any.
 */
public final class ProfileText {
    private static final String WITH = " with ";

    /** Maximum characters of the values; a longer list is only mentioned. */
    private static final int LONGEST = 4096;

    private ProfileText() {}

    /** Returns the line; the name alone if the profile equals its model, or if no model has its name. */
    public static String of(Profile profile) {
        String name = profile.name();
        Optional<Profile> model = Profile.find(name);
        String values = model.map(known -> differing(profile, known)).orElse("");
        return values.isEmpty()
                ? name
                : name + WITH + (values.length() > LONGEST ? "more values than this text can hold" : values);
    }

    /** Sets the values one by one, as some values of a profile follow from others. */
    private static String differing(Profile profile, Profile model) {
        StringBuilder text = new StringBuilder();
        Profile made = model;
        for (ProfileValue value : ProfileValues.list()) {
            if (!value.in(made).equals(value.in(profile))) {
                made = value.set(made, value.in(profile));
                text.append(text.isEmpty() ? "" : " ")
                        .append(value.name())
                        .append('=')
                        .append(value.in(profile));
            }
        }
        return text.toString();
    }

    /**
     * Parses the line.
     *
     * @throws ProfileValueException if there is no such model or value, or if the value is not allowed
     */
    public static Profile read(String text) {
        int with = text.indexOf(WITH);
        String name = with < 0 ? text : text.substring(0, with);
        Profile model = Profile.find(name)
                .orElseThrow(() -> new ProfileValueException("there is no " + name + "; there are "
                        + Profile.ALL.stream()
                                .map(each -> each.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(", "))));
        Profile made = model;
        List<String> values = with < 0
                ? List.of()
                : List.of(text.substring(with + WITH.length()).split(" "));
        for (String each : values) {
            int equals = each.indexOf('=');
            if (equals < 1) {
                throw new ProfileValueException("'" + each + "' is no NAME=VALUE, such as queues.max-wr=16");
            }
            made = ProfileValues.with(made, each.substring(0, equals), each.substring(equals + 1));
        }
        return made;
    }
}
