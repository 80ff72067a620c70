// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stream;

import org.jspecify.annotations.Nullable;

/** What is granted in one message, oldest first. The thread of whoever takes it sees it too: it never changes. */
public interface GrantedElements<E> {
    /** Of elements that are handed out as they are. */
    static <E> GrantedElements<E> of(E[] elements) {
        return new GrantedElements<>() {
            @Override
            public int size() {
                return elements.length;
            }

            @Override
            public E handOut(int index) {
                return elements[index];
            }
        };
    }

    int size();

    /**
     * What the subscriber gets, asked for once, on its thread; null if the element was withdrawn since it was granted: the
     * subscriber never sees it.
     */
    @Nullable
    E handOut(int index);
}
