// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.lab.world.World;

/**
 * Checks the answers of verbs, which must be the same under all faults.
 *
 * @param element the element that the verbs are called on
 */
record VerbAnswers(World world, String element) {
    void carriedOut(String what, Supplier<CompletionStage<?>> verb) {
        try {
            world.await(verb.get());
        } catch (VerbsException refused) {
            throw new AssertionError(element + ": " + what + " was refused: " + refused, refused);
        }
    }

    void refused(Errno errno, String what, Supplier<CompletionStage<?>> verb) {
        try {
            world.await(verb.get());
        } catch (VerbsException refused) {
            if (refused.errno() == errno) {
                return;
            }
            throw new AssertionError(element + ": " + what + " was refused with " + refused, refused);
        }
        throw new AssertionError(element + ": " + what + " succeeded, but must be refused with " + errno);
    }
}
