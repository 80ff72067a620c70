// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a user's own code threw inside of a world, where nobody could catch it: the first of it fails the run, once. */
final class UserExceptions {
    private @Nullable Throwable first;
    private final List<Class<? extends Throwable>> allowed = new ArrayList<>();
    private boolean raised;

    /** What programs throw of that kind is theirs from now on. */
    void allow(Class<? extends Throwable> kind) {
        allowed.add(kind);
    }

    /** What a subscriber or a handler of a program threw. */
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

    /** Throws it as it is. */
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
