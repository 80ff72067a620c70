// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks;

import com.tngtech.archunit.core.domain.PackageMatcher;
import java.util.List;

/**
 * Packages that users program against, as ArchUnit patterns: modules export them to all, and other packages to our own modules
 * only.
 */
final class PublicPackages {
    /**
     * Of the adapter: its entry point, the types of its trace and its resource audit, its first numbers, and its Flight
     * Recorder sink.
     */
    static final List<String> OF_THE_ADAPTER = List.of(
            "org.hcaactors.network",
            "org.hcaactors.adapter.flow",
            "org.hcaactors.adapter.audit",
            "org.hcaactors.adapter.number",
            "org.hcaactors.actors.flight");

    private static final List<String> OTHERS = List.of(
            "org.hcaactors.api..",
            "org.hcaactors.client..",
            // Cables, other nodes, packets, their events, and the arguments of a user's tap or interceptor.
            "org.hcaactors.fabric.[cable|capture|cluster|flow|link|mad|packet|recording|uplink|wire]",
            "org.hcaactors.placement..",
            "org.hcaactors.views..",
            "org.hcaactors.lab..");

    /** Internal packages of the testkit for random numbers, bounded maps and other JVMs. */
    private static final List<String> OWN =
            List.of("org.hcaactors.lab.chance", "org.hcaactors.lab.recent", "org.hcaactors.lab.nodes");

    private PublicPackages() {}

    static boolean have(String packageName) {
        return (isAmong(OF_THE_ADAPTER, packageName) || isAmong(OTHERS, packageName)) && !isAmong(OWN, packageName);
    }

    private static boolean isAmong(List<String> rooms, String packageName) {
        return rooms.stream().anyMatch(room -> PackageMatcher.of(room).matches(packageName));
    }
}
