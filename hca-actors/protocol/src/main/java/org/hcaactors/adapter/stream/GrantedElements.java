// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stream;

import org.jspecify.annotations.Nullable;

/** Elements granted in one message, oldest first. Read by the thread that takes them, too: immutable. */
public interface GrantedElements<E> {
    /** Grants elements that are handed out as they are. */
    static <E> GrantedElements<E> of(E[] elements) {
        return new GrantedElements<>() {
            @Override
            public int size() {
                return elements.length;
            }

            @Override
            public E take(int index) {
                return elements[index];
            }
        };
    }

    int size();

    /**
     * Returns the element for the subscriber, called once, on its thread; null if the element was withdrawn since it was
     * granted, so that the subscriber never receives it.
     */
    @Nullable
    E take(int index);
}
