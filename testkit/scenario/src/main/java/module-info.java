// SPDX-License-Identifier: Apache-2.0
/** Scenarios: runs described in a file, as `hca run` runs them. */
module org.hcaactors.scenario {
    requires transitive org.hcaactors.client;
    requires transitive org.hcaactors.lab;
    requires static transitive org.jspecify;

    exports org.hcaactors.lab.scenario;
}
