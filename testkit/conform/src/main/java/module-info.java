// SPDX-License-Identifier: Apache-2.0
/** Captured traffic played against our machines: what `hca conform` does. */
module org.hcaactors.conform {
    requires transitive org.hcaactors.actors;
    requires transitive org.hcaactors.lab;
    requires transitive org.hcaactors.views;
    requires static transitive org.jspecify;

    exports org.hcaactors.lab.conform;
}
