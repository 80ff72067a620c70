// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks;

import com.tngtech.archunit.core.domain.PackageMatcher;
import java.util.List;

/** The packages that users program against, in ArchUnit's patterns: modules export them to all, and others to our own jars alone. */
final class PublicPackages {
    /** Of the adapter: its entrance, what its trace and its books tell, where its numbers begin, its sink for the Flight Recorder. */
    static final List<String> OF_THE_ADAPTER = List.of(
            "org.hcaactors.network",
            "org.hcaactors.adapter.flow",
            "org.hcaactors.adapter.audit",
            "org.hcaactors.adapter.number",
            "org.hcaactors.actors.flight");

    private static final List<String> OTHERS = List.of(
            "org.hcaactors.api..",
            "org.hcaactors.client..",
            // What travels, what happens to it, and what a tap or an interceptor of a user's is given.
            "org.hcaactors.fabric.[capture|flow|link|packet|wire]",
            "org.hcaactors.views..",
            "org.hcaactors.lab..");

    /** Of the bench, what it needs to draw and to remember. */
    private static final List<String> OWN = List.of("org.hcaactors.lab.chance", "org.hcaactors.lab.recent");

    private PublicPackages() {}

    static boolean have(String packageName) {
        return (isAmong(OF_THE_ADAPTER, packageName) || isAmong(OTHERS, packageName)) && !isAmong(OWN, packageName);
    }

    private static boolean isAmong(List<String> rooms, String packageName) {
        return rooms.stream().anyMatch(room -> PackageMatcher.of(room).matches(packageName));
    }
}
