// SPDX-License-Identifier: Apache-2.0
/** What an adapter counts, as meters of Micrometer. */
module org.hcaactors.api.micrometer {
    requires transitive micrometer.core;
    requires transitive org.hcaactors.api;
    requires static transitive org.jspecify;

    exports org.hcaactors.api.micrometer;
}
