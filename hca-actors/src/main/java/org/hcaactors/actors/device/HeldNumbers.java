// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import java.util.LinkedHashSet;
import java.util.Set;
import org.hcaactors.adapter.number.NumberSpace;

// rule cm-time-wait
/** Numbers of queue pairs. One whose late packets may arrive is held: it is not assigned again, also when its queue pair is gone. */
final class HeldNumbers {
    private final NumberSpace numbers;
    private final Set<Integer> held = new LinkedHashSet<>();

    /** Held numbers without a queue pair. */
    private final Set<Integer> waiting = new LinkedHashSet<>();

    HeldNumbers(NumberSpace numbers) {
        this.numbers = numbers;
    }

    /** @throws org.hcaactors.api.error.VerbsException ENOMEM if none is left */
    int take() {
        return numbers.take();
    }

    void free(int number) {
        if (held.contains(number)) {
            waiting.add(number);
        } else {
            numbers.free(number);
        }
    }

    void hold(int number) {
        held.add(number);
    }

    void release(int number) {
        held.remove(number);
        if (waiting.remove(number)) {
            numbers.free(number);
        }
    }

    /** Returns the number of queue pairs. */
    int inUse() {
        return numbers.inUse() - waiting.size();
    }
}
