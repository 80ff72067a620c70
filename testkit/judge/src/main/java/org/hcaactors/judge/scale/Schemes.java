// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

import java.util.List;
import java.util.Optional;

/** Every scheme that there is. */
public final class Schemes {
    /** Connected, then dynamically connected. */
    public static final List<Scheme> ALL =
            List.of(new RcScheme("rc"), new XrcScheme("xrc"), DcScheme.of(8), DcScheme.of(32));

    private Schemes() {}

    /** It has a pool of initiators that connect as they ask. */
    public static boolean isDynamic(Scheme scheme) {
        return scheme instanceof DcScheme;
    }

    /** By its name, in upper or lower case. */
    public static Optional<Scheme> named(String name) {
        return ALL.stream()
                .filter(scheme -> scheme.name().equalsIgnoreCase(name))
                .findFirst();
    }
}
