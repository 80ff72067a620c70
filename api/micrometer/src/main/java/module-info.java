// SPDX-License-Identifier: Apache-2.0
/** Counters of adapters as Micrometer meters. */
module org.hcaactors.api.micrometer {
    requires transitive micrometer.core;
    requires transitive org.hcaactors.api;
    requires static transitive org.jspecify;

    exports org.hcaactors.api.micrometer;
}
