// SPDX-License-Identifier: Apache-2.0
/** Comparison of captured traffic with the project's machines, as in `hca conform`. */
module org.hcaactors.conform {
    requires transitive org.hcaactors.actors;
    requires transitive org.hcaactors.lab;
    requires transitive org.hcaactors.views;
    requires static transitive org.jspecify;

    exports org.hcaactors.lab.conform;
}
