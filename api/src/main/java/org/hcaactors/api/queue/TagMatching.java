// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.Objects;
import java.util.Optional;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.tag.RendezvousAddressHeader;
import org.hcaactors.api.tag.RendezvousHeader;

/**
 * Settings of a tag-matching shared receive queue to create ({@code IBV_SRQT_TM}).
 *
 * <p>Immutable.
 */
public final class TagMatching {
    /** Default number of receives in a tag list. */
    public static final int DEFAULT_TAGS = 64;

    /** Default number of outstanding operations. */
    public static final int DEFAULT_OPERATIONS = 64;

    private final CompletionQueue cq;
    private final int maxTags;
    private final int maxOperations;
    private final Optional<RcConnection> dcRendezvous;

    private TagMatching(CompletionQueue cq, int maxTags, int maxOperations, Optional<RcConnection> dcRendezvous) {
        this.cq = Objects.requireNonNull(cq, "cq is null; tag matching requires a completion queue");
        this.maxTags = maxTags;
        this.maxOperations = maxOperations;
        this.dcRendezvous = dcRendezvous;
    }

    /**
     * {@value #DEFAULT_TAGS} tags and {@value #DEFAULT_OPERATIONS} outstanding operations.
     *
     * @param cq completion queue of messages and operations
     */
    public static TagMatching of(CompletionQueue cq) {
        return new TagMatching(cq, DEFAULT_TAGS, DEFAULT_OPERATIONS, Optional.empty());
    }

    /** Sets the maximum number of receives in the tag list. */
    public TagMatching withMaxTags(int max) {
        return new TagMatching(cq, max, maxOperations, dcRendezvous);
    }

    /** Sets the maximum number of outstanding operations. */
    public TagMatching withMaxOperations(int max) {
        return new TagMatching(cq, maxTags, max, dcRendezvous);
    }

    /**
     * Makes the adapter fetch the data of rendezvous messages over DC ({@code MLX5_CMD_OP_SET_XRQ_DC_PARAMS}; rule
     * rendezvous-dc), by an initiator of the queue's own; without it the program must fetch them. Of the attributes the MTU,
     * the timeout, both retry counts and the outstanding READs are used. EINVAL without outstanding READs or with unlimited
     * waiting (timeout 0, RNR retry 7, and retry count 7 if it is unlimited in the profile), because one absent sender would
     * block all others. Senders append a {@link RendezvousAddressHeader} to their {@link RendezvousHeader}. It names a target
     * of the sender, which needs receives for the answers.
     */
    public TagMatching withDcRendezvous(RcConnection attributes) {
        return new TagMatching(cq, maxTags, maxOperations, Optional.of(attributes));
    }

    public CompletionQueue cq() {
        return cq;
    }

    public int maxTags() {
        return maxTags;
    }

    public int maxOperations() {
        return maxOperations;
    }

    /** Attributes with which the adapter fetches over DC; empty if it does not. */
    public Optional<RcConnection> dcRendezvous() {
        return dcRendezvous;
    }

    @Override
    public String toString() {
        return "matching up to %d tags by up to %d outstanding operations, completing on %s"
                .formatted(maxTags, maxOperations, cq.describe());
    }
}
