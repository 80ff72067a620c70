// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stream;

import org.jspecify.annotations.Nullable;

/** Goes with what is granted: asked before each element is handed out, on the subscriber's thread. */
@FunctionalInterface
public interface Receipt<E> {
    /** What was granted is handed out, as it is. */
    static <E> Receipt<E> plain() {
        return (index, element) -> element;
    }

    /** What the subscriber gets; null if the element was withdrawn since it was granted: the subscriber never sees it. */
    @Nullable
    E handOut(int index, E element);
}
