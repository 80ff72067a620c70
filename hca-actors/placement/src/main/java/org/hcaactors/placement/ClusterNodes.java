// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.placement;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.pekko.actor.Address;
import org.apache.pekko.cluster.ClusterEvent.CurrentClusterState;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;

/** Nodes of the cluster, as this one knows them now. Any thread. */
record ClusterNodes(Cluster cluster, Optional<String> role) {
    Address self() {
        return cluster.selfMember().address();
    }

    long selfUid() {
        return cluster.selfMember().uniqueAddress().longUid();
    }

    /** True if this node takes adapters. */
    boolean takesAdapters() {
        return hasRole(cluster.selfMember());
    }

    private boolean hasRole(Member member) {
        return role.map(member::hasRole).orElse(true);
    }

    /** Returns the nodes that take adapters, are up, and can be reached. */
    Set<Address> fit() {
        CurrentClusterState state = cluster.state();
        return StreamSupport.stream(state.getMembers().spliterator(), false)
                .filter(member -> member.status() == MemberStatus.up() || member.status() == MemberStatus.weaklyUp())
                .filter(this::hasRole)
                .filter(member -> !state.getUnreachable().contains(member))
                .map(Member::address)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the uids of all nodes in the cluster. */
    Set<Long> uids() {
        return StreamSupport.stream(cluster.state().getMembers().spliterator(), false)
                .map(member -> member.uniqueAddress().longUid())
                .collect(Collectors.toUnmodifiableSet());
    }
}
