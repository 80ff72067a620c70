// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.error;

// rule post-list
/**
 * The refusal of an element of a posted list ({@code bad_wr} of {@code ibv_post_send} and {@code ibv_post_recv}). The elements
 * before it are posted; it and those behind it are not. Its errno is that of posting the element alone, and its cause is the
 * exception that this would throw.
 *
 * <p>Threads: any. Limits: none.
 */
public final class PostRefusedException extends VerbsException {
    private static final long serialVersionUID = 1L;

    private final int index;

    /** @param index number of elements that are posted */
    public PostRefusedException(int index, VerbsException reason) {
        super(reason.errno(), "element " + index + " of the list is refused: " + reason.what(), reason);
        this.index = index;
    }

    /** Index of the refused element, from 0: the number of elements that are posted. */
    public int index() {
        return index;
    }
}
