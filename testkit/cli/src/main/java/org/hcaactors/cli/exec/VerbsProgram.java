// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.exec;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A program of a run.
 *
 * @param name of it and of its adapter, in plans of faults and in reports
 * @param address of its adapter
 * @param command the program with its arguments
 */
public record VerbsProgram(String name, String address, List<String> command) {
    public VerbsProgram {
        command = List.copyOf(command);
    }

    /** @param all the programs of the run, this one among them */
    void addTo(Map<String, String> environment, List<VerbsProgram> all) {
        environment.put("HCA_VERBS_NAME", name);
        environment.put("HCA_VERBS_ADDRESS", address);
        String peers = all.stream()
                .filter(other -> !other.equals(this))
                .map(other -> other.address + "=" + other.name)
                .collect(Collectors.joining(","));
        if (!peers.isEmpty()) {
            environment.put("HCA_VERBS_PEERS", peers);
        }
    }
}
