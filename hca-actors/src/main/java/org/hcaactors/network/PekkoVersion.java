// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.pekko.Version;

/** Check of the Pekko version on the class path: another dependency may have brought one that is too old. */
final class PekkoVersion {
    private static final Pattern NUMBERS = Pattern.compile("(\\d+)\\.(\\d+).*");
    /** Major and minor version. In older versions supervision was implemented by another class. */
    private static final int[] OLDEST = {1, 1};

    private PekkoVersion() {}

    /** @throws IllegalStateException if the adapter cannot run on it */
    static void check() {
        check(Version.current());
    }

    static void check(String version) {
        Matcher numbers = NUMBERS.matcher(version);
        if (!numbers.matches()) {
            return;
        }
        int[] found = {Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2))};
        if (Arrays.compare(found, OLDEST) < 0) {
            throw new IllegalStateException(
                    "Pekko " + version + " is on the class path; hca-actors needs " + OLDEST[0] + "." + OLDEST[1]
                            + ".0 or newer: import org.hcaactors:hca-bom before the dependency with the older one");
        }
    }
}
