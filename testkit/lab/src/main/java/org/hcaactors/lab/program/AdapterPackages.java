// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.program;

import java.util.List;
import java.util.stream.Stream;

/** Packages of adapters and of the classes between adapters and programs; none of their code is a program's. */
public final class AdapterPackages {
    private static final List<String> PACKAGES = List.of(
            "org.hcaactors.api.",
            "org.hcaactors.client.",
            "org.hcaactors.adapter.",
            "org.hcaactors.actors.",
            "org.hcaactors.network.");

    private AdapterPackages() {}

    /** Returns the package prefixes that are not a program's: these, and those of adapters. */
    public static List<String> and(String... others) {
        return Stream.concat(Stream.of(others), PACKAGES.stream()).toList();
    }
}
