// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.tag;

import java.util.Objects;
import java.util.Optional;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SrqDescription;

/**
 * Describes a tag-matching shared receive queue before it is created ({@code IBV_SRQT_TM}).
 *
 * <p>Immutable.
 */
public final class TagSrqDescription {
    /** Receives in a tag list, where nothing is said. */
    public static final int DEFAULT_TAGS = 64;

    /** Operations under way, where nothing is said. */
    public static final int DEFAULT_OPERATIONS = 64;

    private final CompletionQueue completions;
    private final SrqDescription size;
    private final int maxTags;
    private final int maxOperations;
    private final Optional<RcConnection> dcRendezvous;

    private TagSrqDescription(
            CompletionQueue completions,
            SrqDescription size,
            int maxTags,
            int maxOperations,
            Optional<RcConnection> dcRendezvous) {
        this.completions = Objects.requireNonNull(completions, "a shared receive queue without a completion queue");
        this.size = size;
        this.maxTags = maxTags;
        this.maxOperations = maxOperations;
        this.dcRendezvous = dcRendezvous;
    }

    /**
     * Of {@link SrqDescription#DEFAULT} for what no tag waits for, and of {@value #DEFAULT_TAGS} tags.
     *
     * @param completions where messages and operations end
     */
    public static TagSrqDescription of(CompletionQueue completions) {
        return new TagSrqDescription(
                completions, SrqDescription.DEFAULT, DEFAULT_TAGS, DEFAULT_OPERATIONS, Optional.empty());
    }

    /** For unexpected messages, and those without a tag. */
    public TagSrqDescription withSize(SrqDescription requested) {
        return new TagSrqDescription(completions, requested, maxTags, maxOperations, dcRendezvous);
    }

    /** Receives that the tag list has room for. */
    public TagSrqDescription withMaxTags(int max) {
        return new TagSrqDescription(completions, size, max, maxOperations, dcRendezvous);
    }

    /** Operations that may be under way. */
    public TagSrqDescription withMaxOperations(int max) {
        return new TagSrqDescription(completions, size, maxTags, max, dcRendezvous);
    }

    /**
     * The adapter fetches by itself what messages over DC left with their senders ({@code MLX5_CMD_OP_SET_XRQ_DC_PARAMS}; rule
     * rendezvous-dc): by an initiator of the queue's own, with these terms, of which MTU, timeout, both retry counts and READs under way
     * count: at least one READ, and nothing endless (EINVAL for timeout 0, RNR retry 7, and retry count 7 where the profile has it
     * for ever), as one sender that is not there would keep all others waiting. Else the program has to. Senders put a {@link RendezvousAddressHeader} behind
     * their {@link RendezvousHeader}, which names a target of theirs, with receives for what tells them that their data were fetched.
     */
    public TagSrqDescription withDcRendezvous(RcConnection attributes) {
        return new TagSrqDescription(completions, size, maxTags, maxOperations, Optional.of(attributes));
    }

    public CompletionQueue completions() {
        return completions;
    }

    public SrqDescription size() {
        return size;
    }

    public int maxTags() {
        return maxTags;
    }

    public int maxOperations() {
        return maxOperations;
    }

    /** What the adapter fetches with over DC, if it does. */
    public Optional<RcConnection> dcRendezvous() {
        return dcRendezvous;
    }

    @Override
    public String toString() {
        return "%s, matching %d tags by %d operations, completing on %s"
                .formatted(size, maxTags, maxOperations, completions.describe());
    }
}
