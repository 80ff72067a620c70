// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.exec;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Settings of the adapters of a run, which the library reads from its environment.
 *
 * @param profile name of the model
 * @param seed of random numbers: of the adapter and of the faults
 * @param slower divisor of the clock of the protocol
 * @param faults file with the plan
 * @param refused verbs that fail, each as FUNCTION:NUMBER:ERRNO
 * @param report folder in which each process writes what happened
 * @param explains true if each refused call says why, on standard error
 */
public record VerbsSettings(
        String profile,
        long seed,
        int slower,
        Optional<Path> faults,
        List<String> refused,
        Optional<Path> report,
        boolean explains) {
    private static final String JVM_OPTIONS = "HCA_VERBS_JVM_OPTIONS";
    private static final String RECORDING_HEAP = "-Xmx2g";

    public VerbsSettings {
        refused = List.copyOf(refused);
    }

    void addTo(Map<String, String> environment) {
        environment.put("HCA_VERBS_PROFILE", profile);
        environment.put("HCA_VERBS_SEED", Long.toString(seed));
        environment.put("HCA_VERBS_SLOWER", Integer.toString(slower));
        faults.ifPresent(file ->
                environment.put("HCA_VERBS_FAULTS", file.toAbsolutePath().toString()));
        report.ifPresent(folder -> {
            environment.put("HCA_VERBS_REPORT", folder.toAbsolutePath().toString());
            // The events of a run are in memory until its end.
            environment.merge(JVM_OPTIONS, RECORDING_HEAP, (given, own) -> own + " " + given);
        });
        if (!refused.isEmpty()) {
            environment.put("HCA_VERBS_REFUSE", String.join(",", refused));
        }
        if (explains) {
            environment.put("HCA_VERBS_EXPLAIN", "on");
        }
    }
}
