// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.api.device.Profile;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the adapter model of a command. */
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class ModelOptions {
    @Option(
            names = "--profile",
            paramLabel = "NAME",
            defaultValue = "connectx-5",
            description = "profile of all adapters, such as connectx-6 or soft-roce (default: connectx-5)")
    private String name;

    @Mixin
    private ProfileOverrides overrides;

    /**
     * Returns the profile.
     *
     * @throws BadInputException if there is no such profile, or no such value in one
     */
    Profile profile() throws BadInputException {
        return overrides.on(named(name));
    }

    /**
     * Returns the profile of that name.
     *
     * @throws BadInputException if there is no such profile
     */
    static Profile named(String name) throws BadInputException {
        return Profile.find(name)
                .orElseThrow(() -> new BadInputException("no profile " + name + "; there are "
                        + names().collect(Collectors.joining(", ")) + DidYouMean.hint(name, names())));
    }

    private static Stream<String> names() {
        return Profile.ALL.stream().map(profile -> profile.name().toLowerCase(Locale.ROOT));
    }
}
