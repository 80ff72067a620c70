// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Exceptions of user code in a world, where no caller could catch them. The first one fails the run, once. */
final class UserExceptions {
    private @Nullable Throwable first;
    private final List<Class<? extends Throwable>> allowed = new ArrayList<>();
    private boolean raised;

    /** Ignores exceptions of that kind from programs from now on. */
    void allow(Class<? extends Throwable> kind) {
        allowed.add(kind);
    }

    /** Notes an exception of a program's subscriber or handler. */
    void ofProgram(Throwable thrown) {
        if (allowed.stream().noneMatch(kind -> kind.isInstance(thrown))) {
            note(thrown);
        }
    }

    void note(Throwable thrown) {
        if (first == null) {
            first = thrown;
        }
    }

    /** Throws the first exception unchanged, once. */
    void raise() {
        if (first == null || raised) {
            return;
        }
        raised = true;
        switch (first) {
            case RuntimeException unchecked -> throw unchecked;
            case Error error -> throw error;
            default -> throw new IllegalStateException(first);
        }
    }
}
