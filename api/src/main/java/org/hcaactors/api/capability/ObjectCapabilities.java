// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

// rules event-object-limits, ud-multicast-limits
/**
 * Numbers of objects that an adapter can have at a time, over all of its processes. Creating one more is ENOMEM until one is
 * destroyed. Objects with a number on the wire or with a memory key are also limited by the 2^24 numbers of these.
 *
 * <p>Immutable: {@code with} methods return changed copies of {@link #DEFAULT}. Components are added in minor versions.
 */
public final class ObjectCapabilities {
    private static final int NUMBERS = 1 << 24;

    /** As many objects as there are numbers of 24 bits: no limit of the profile's own. */
    public static final ObjectCapabilities DEFAULT = new ObjectCapabilities(new Fields());

    private final Fields fields;

    private ObjectCapabilities(Fields fields) {
        this.fields = fields;
    }

    /** Written only by {@link #with}, before the new capabilities exist. */
    private static final class Fields {
        private int maxQueuePairs = NUMBERS;
        private int maxCompletionQueues = NUMBERS;
        private int maxSharedReceiveQueues = NUMBERS;
        private int maxRegions = NUMBERS;
        private int maxDomains = NUMBERS;
        private int maxAddressHandles = Integer.MAX_VALUE;
        private int maxMulticastGroups = NUMBERS;
        private int maxGroupMembers = NUMBERS;
        private int maxMemberships = Integer.MAX_VALUE;

        private Fields() {}

        private Fields(Fields other) {
            maxQueuePairs = other.maxQueuePairs;
            maxCompletionQueues = other.maxCompletionQueues;
            maxSharedReceiveQueues = other.maxSharedReceiveQueues;
            maxRegions = other.maxRegions;
            maxDomains = other.maxDomains;
            maxAddressHandles = other.maxAddressHandles;
            maxMulticastGroups = other.maxMulticastGroups;
            maxGroupMembers = other.maxGroupMembers;
            maxMemberships = other.maxMemberships;
        }
    }

    /** Maximum number of queue pairs, dynamically connected targets included ({@code max_qp}). */
    public int maxQueuePairs() {
        return fields.maxQueuePairs;
    }

    /** Maximum number of completion queues ({@code max_cq}). */
    public int maxCompletionQueues() {
        return fields.maxCompletionQueues;
    }

    /** Maximum number of shared receive queues ({@code max_srq}). */
    public int maxSharedReceiveQueues() {
        return fields.maxSharedReceiveQueues;
    }

    /** Maximum number of memory regions ({@code max_mr}). */
    public int maxRegions() {
        return fields.maxRegions;
    }

    /** Maximum number of protection domains ({@code max_pd}). */
    public int maxDomains() {
        return fields.maxDomains;
    }

    /** Maximum number of address handles ({@code max_ah}). */
    public int maxAddressHandles() {
        return fields.maxAddressHandles;
    }

    /** Maximum number of multicast groups to which queue pairs are attached ({@code max_mcast_grp}). */
    public int maxMulticastGroups() {
        return fields.maxMulticastGroups;
    }

    /** Maximum number of queue pairs that are attached to one multicast group ({@code max_mcast_qp_attach}). */
    public int maxGroupMembers() {
        return fields.maxGroupMembers;
    }

    /** Maximum number of attachments of queue pairs to multicast groups, over all groups ({@code max_total_mcast_qp_attach}). */
    public int maxMemberships() {
        return fields.maxMemberships;
    }

    /** IllegalArgumentException if {@code max} is negative. */
    public ObjectCapabilities withMaxQueuePairs(int max) {
        return with(now -> now.maxQueuePairs = notNegative("queue pairs", max));
    }

    /** IllegalArgumentException if {@code max} is negative. */
    public ObjectCapabilities withMaxCompletionQueues(int max) {
        return with(now -> now.maxCompletionQueues = notNegative("completion queues", max));
    }

    /** IllegalArgumentException if {@code max} is negative. */
    public ObjectCapabilities withMaxSharedReceiveQueues(int max) {
        return with(now -> now.maxSharedReceiveQueues = notNegative("shared receive queues", max));
    }

    /** IllegalArgumentException if {@code max} is negative. */
    public ObjectCapabilities withMaxRegions(int max) {
        return with(now -> now.maxRegions = notNegative("memory regions", max));
    }

    /** IllegalArgumentException if {@code max} is negative. */
    public ObjectCapabilities withMaxDomains(int max) {
        return with(now -> now.maxDomains = notNegative("protection domains", max));
    }

    /** IllegalArgumentException if {@code max} is negative. */
    public ObjectCapabilities withMaxAddressHandles(int max) {
        return with(now -> now.maxAddressHandles = notNegative("address handles", max));
    }

    /** IllegalArgumentException if {@code max} is negative. */
    public ObjectCapabilities withMaxMulticastGroups(int max) {
        return with(
                now -> now.maxMulticastGroups = notNegative("multicast groups to which queue pairs are attached", max));
    }

    /** IllegalArgumentException if {@code max} is negative. */
    public ObjectCapabilities withMaxGroupMembers(int max) {
        return with(
                now -> now.maxGroupMembers = notNegative("queue pairs that are attached to one multicast group", max));
    }

    /** IllegalArgumentException if {@code max} is negative. */
    public ObjectCapabilities withMaxMemberships(int max) {
        return with(now -> now.maxMemberships = notNegative("attachments of queue pairs to multicast groups", max));
    }

    private static int notNegative(String what, int max) {
        if (max < 0) {
            throw new IllegalArgumentException("the maximum of " + what + " is " + max + "; 0 and more is allowed");
        }
        return max;
    }

    private ObjectCapabilities with(Consumer<Fields> change) {
        Fields copy = new Fields(fields);
        change.accept(copy);
        return new ObjectCapabilities(copy);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ObjectCapabilities group && values().equals(group.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "ObjectCapabilities" + values();
    }

    private List<Object> values() {
        return List.of(
                fields.maxQueuePairs,
                fields.maxCompletionQueues,
                fields.maxSharedReceiveQueues,
                fields.maxRegions,
                fields.maxDomains,
                fields.maxAddressHandles,
                fields.maxMulticastGroups,
                fields.maxGroupMembers,
                fields.maxMemberships);
    }
}
