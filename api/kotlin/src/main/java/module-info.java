// SPDX-License-Identifier: Apache-2.0
/** Cancellation, flows and nullable values for the verbs in Kotlin. */
module org.hcaactors.api.kotlin {
    requires transitive kotlin.stdlib;
    requires transitive kotlinx.coroutines.core;
    requires kotlinx.coroutines.jdk9;
    requires transitive org.hcaactors.api;
    requires transitive org.hcaactors.client;

    exports org.hcaactors.api.kotlin;
}
