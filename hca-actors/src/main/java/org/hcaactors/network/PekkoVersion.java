// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.pekko.Version;

/** The Pekko that is on the class path: another dependency may have brought one that is too old. */
final class PekkoVersion {
    private static final Pattern NUMBERS = Pattern.compile("(\\d+)\\.(\\d+).*");
    /** Major and minor. Before it, supervision was another class. */
    private static final int[] OLDEST = {1, 1};

    private PekkoVersion() {}

    /** IllegalStateException if the adapter can't run on it. */
    static void check() {
        check(Version.current());
    }

    static void check(String version) {
        Matcher numbers = NUMBERS.matcher(version);
        if (!numbers.matches()) {
            return;
        }
        int[] there = {Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2))};
        if (Arrays.compare(there, OLDEST) < 0) {
            throw new IllegalStateException("Pekko " + version + " is on the class path; hca-actors needs " + OLDEST[0]
                    + "." + OLDEST[1] + ".0 or newer: import org.hcaactors:hca-bom before what brings the older one");
        }
    }
}
