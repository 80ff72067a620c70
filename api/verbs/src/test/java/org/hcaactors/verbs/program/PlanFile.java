// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Plans of faults as files, and the environments of programs under them. */
final class PlanFile {
    private static final int SLOWER = 8;

    private PlanFile() {}

    /** Writes a plan of these faults, in HOCON; returns its path. */
    static String write(Path folder, String faults) throws IOException {
        Path plan = folder.resolve("plan.conf");
        Files.writeString(plan, "faults = [ " + faults + " ]\n");
        return plan.toString();
    }

    /** @param slower factor of the clock */
    static Map<String, String> environment(Path folder, String faults, int slower) throws IOException {
        String plan = write(folder, faults);
        return Map.of("HCA_VERBS_FAULTS", plan, "HCA_VERBS_SEED", "3", "HCA_VERBS_SLOWER", Integer.toString(slower));
    }

    /** A loss of one packet in a hundred. */
    static Map<String, String> loss(Path folder) throws IOException {
        return environment(folder, "{ drop { probability = 0.01 } }", SLOWER);
    }
}
