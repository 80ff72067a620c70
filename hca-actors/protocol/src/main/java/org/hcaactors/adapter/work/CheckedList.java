// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hcaactors.api.error.PostRefusedException;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.mutation.MutationPoint;

// rule post-list
/**
 * The elements of a posted list that are before the first refused one.
 *
 * @param elements what is posted
 * @param refusal why the next element of the list is not; empty if there is none
 */
public record CheckedList<P>(List<P> elements, Optional<VerbsException> refusal) {
    /**
     * Checks the elements in order.
     *
     * @param max number of elements that the queue can hold; those after it are not checked, except the first of the list
     * @param full refusal of the element after those
     * @param check returns what is posted; a VerbsException that it throws ends the list, any other exception posts nothing
     */
    @MutationPoint("checked-list.of")
    public static <R, P> CheckedList<P> of(
            List<? extends R> list, int max, Supplier<VerbsException> full, Function<? super R, ? extends P> check) {
        int end = Math.max(1, max);
        List<P> elements = new ArrayList<>(Math.min(list.size(), end));
        try {
            for (R each : list) {
                if (elements.size() == end) {
                    return new CheckedList<>(elements, Optional.of(full.get()));
                }
                elements.add(check.apply(each));
            }
        } catch (VerbsException refused) {
            return new CheckedList<>(elements, Optional.of(refused));
        }
        return new CheckedList<>(elements, Optional.empty());
    }

    /** Returns all elements of the list; throws the refusal of one that is refused. */
    public List<P> whole() {
        if (refusal.isPresent()) {
            throw refusal.get();
        }
        return elements;
    }

    /**
     * Reports the first element that is not posted, if there is one.
     *
     * @param posted number of elements that were posted
     * @param full why no more of {@link #elements} were posted
     */
    @MutationPoint("checked-list.end")
    public void end(int posted, Supplier<VerbsException> full) {
        if (posted < elements.size()) {
            throw new PostRefusedException(posted, full.get());
        }
        if (refusal.isPresent()) {
            throw new PostRefusedException(posted, refusal.get());
        }
    }
}
