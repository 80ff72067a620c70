// SPDX-License-Identifier: Apache-2.0
/** Coroutines in a world: their delays and timeouts count virtual time. */
module org.hcaactors.lab.kotlin {
    requires transitive kotlin.stdlib;
    requires transitive kotlinx.coroutines.core;
    requires transitive org.hcaactors.lab;

    exports org.hcaactors.lab.kotlin;
}
