// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.api.device.Profile;
import org.hcaactors.lab.profile.ProfileValue;
import org.hcaactors.lab.profile.ProfileValueException;
import org.hcaactors.lab.profile.ProfileValues;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Option for values of an adapter that differ from its model. */
final class ProfileOverrides {
    @Option(
            names = "--with",
            paramLabel = "NAME=VALUE",
            description = "value that replaces the model's, repeatable, such as queues.max-wr=16; hca devinfo"
                    + " --values lists them all")
    private @Nullable List<String> overrides;

    /**
     * Returns the model with these values.
     *
     * @throws BadInputException if there is no such value, or if it is not allowed
     */
    Profile on(Profile model) throws BadInputException {
        Profile made = model;
        for (String each : overrides == null ? List.<String>of() : overrides) {
            int equals = each.indexOf('=');
            if (equals < 1) {
                throw new BadInputException("--with is " + each + "; NAME=VALUE is required, such as queues.max-wr=16");
            }
            String name = each.substring(0, equals);
            try {
                made = ProfileValues.with(made, name, each.substring(equals + 1));
            } catch (ProfileValueException refused) {
                throw new BadInputException(refused.words() + DidYouMean.hint(name, unless(name)));
            }
        }
        return made;
    }

    /** Returns candidates for a name that does not exist. */
    private static Stream<String> unless(String name) {
        boolean known =
                ProfileValues.list().stream().anyMatch(value -> value.name().equals(name));
        return known ? Stream.of() : ProfileValues.list().stream().map(ProfileValue::name);
    }
}
