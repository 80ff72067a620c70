// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.access;

import java.util.Optional;
import org.hcaactors.api.memory.Access;
import org.jspecify.annotations.Nullable;

/** Uses of a key: which side names it, and which right the use needs. */
enum Use {
    SEND_FROM("SEND from", true, null),
    WRITE_FROM("WRITE from", true, null),
    READ_INTO("READ into", true, Access.LOCAL_WRITE),
    ATOMIC_INTO("atomic into", true, Access.LOCAL_WRITE),
    RECEIVE_INTO("receive into", true, Access.LOCAL_WRITE),
    WRITE_TO("WRITE to", false, Access.REMOTE_WRITE),
    READ_OF("READ of", false, Access.REMOTE_READ),
    ADD_TO("FETCH_ADD to", false, Access.REMOTE_ATOMIC),
    SWAP_AT("CMP_SWAP at", false, Access.REMOTE_ATOMIC);

    private final String words;
    private final boolean local;
    private final Optional<Access> needs;

    Use(String words, boolean local, @Nullable Access needs) {
        this.words = words;
        this.local = local;
        this.needs = Optional.ofNullable(needs);
    }

    /** True if it is an L_Key of its own adapter; otherwise it is an R_Key of a peer. */
    boolean isLocal() {
        return local;
    }

    Optional<Access> needs() {
        return needs;
    }

    /** True if it changes the memory under the key. */
    boolean writes() {
        return needs.filter(right -> right != Access.REMOTE_READ).isPresent();
    }

    /** True if the memory belongs to the requester; otherwise to the responder. */
    boolean isOfTheAsker() {
        return local && this != RECEIVE_INTO;
    }

    boolean isOneWord() {
        return this == ATOMIC_INTO || this == ADD_TO || this == SWAP_AT;
    }

    @Override
    public String toString() {
        return words;
    }
}
