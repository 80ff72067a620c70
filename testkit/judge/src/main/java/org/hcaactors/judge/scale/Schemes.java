// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

import java.util.List;
import java.util.Optional;

/** All schemes. */
public final class Schemes {
    /** Connected ones, then dynamically connected ones. */
    public static final List<Scheme> ALL =
            List.of(new RcScheme("rc"), new XrcScheme("xrc"), DcScheme.of(8), DcScheme.of(32));

    private Schemes() {}

    /** True if it has a pool of initiators that connect on demand. */
    public static boolean isDynamic(Scheme scheme) {
        return scheme instanceof DcScheme;
    }

    /** Returns the scheme of that name, in upper or lower case. */
    public static Optional<Scheme> named(String name) {
        return ALL.stream()
                .filter(scheme -> scheme.name().equalsIgnoreCase(name))
                .findFirst();
    }
}
