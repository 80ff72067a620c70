// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.DcStreams;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpState;

/** Creation, checks and closing of the initiators that a policy needs. */
final class PoolShape {
    /** Retry count 7, if it is unlimited in the profile. */
    private static final int INFINITE_RETRIES = 7;

    private PoolShape() {}

    static void check(int initiators, DciPolicy policy) {
        int min = policy instanceof DciPolicy.Hybrid ? 2 : 1;
        if (initiators < min) {
            throw VerbsException.invalid(
                    "the pool has " + initiators + " initiators; policy " + policy + " requires " + min + " or more");
        }
    }

    /** Checks existing initiators. */
    static void check(List<DcInitiator> initiators, DciPolicy policy) {
        check(initiators.size(), policy);
        if (Set.copyOf(initiators).size() < initiators.size()) {
            throw VerbsException.invalid("an initiator is in the pool twice; each is allowed once");
        }
        for (int index = 0; index < initiators.size(); index++) {
            DcInitiator each = initiators.get(index);
            checkDepth(each.capacity());
            if (each.state() != QpState.RTS) {
                throw VerbsException.invalid(
                        "initiator " + index + " of the pool is in " + each.state() + "; RTS is required");
            }
            int min = channels(index, initiators.size(), policy);
            int streams = each.streams().map(DcStreams::channels).orElse(0);
            if (streams < min) {
                throw VerbsException.invalid("initiator " + index + " of the pool has " + streams + " streams; policy "
                        + policy + " requires " + min + " or more");
            }
        }
    }

    private static void checkDepth(QpCapacity capacity) {
        if (capacity.maxSendWr() < 1) {
            throw VerbsException.invalid(
                    "maxSendWr of the pool's initiators is " + capacity.maxSendWr() + "; 1 or more is allowed");
        }
    }

    private static void checkFiniteRetries(DciPoolDescription requested, Profile profile) {
        if (requested.attributes().retryCount() == INFINITE_RETRIES && profile.has(Quirk.RETRY_SEVEN_IS_FOREVER)) {
            throw VerbsException.invalid("the retry count is 7, so initiators of " + profile.name()
                    + " would retry without limit; a pool allows 0 to 6");
        }
    }

    static List<PoolLane.PoolInitiator> initiators(List<DcInitiator> initiators, DciPolicy policy) {
        List<PoolLane.PoolInitiator> members = new ArrayList<>();
        for (DcInitiator each : initiators) {
            int index = members.size();
            int depth = each.capacity().maxSendWr();
            members.add(new PoolLane.PoolInitiator(index, depth, channels(index, initiators.size(), policy)));
        }
        return List.copyOf(members);
    }

    /** 0 if the policy uses no streams. */
    private static int channels(int index, int initiators, DciPolicy policy) {
        return streams(index, initiators, policy).map(DcStreams::channels).orElse(0);
    }

    private static Optional<DcStreams> streams(int index, int initiators, DciPolicy policy) {
        return switch (policy) {
            case DciPolicy.Streams(DcStreams streams) -> Optional.of(streams);
            case DciPolicy.Hybrid(int quota, DcStreams streams) ->
                index == initiators - 1 ? Optional.of(streams) : Optional.empty();
            case DciPolicy.Hashed() -> Optional.empty();
            case DciPolicy.Exclusive() -> Optional.empty();
            case DciPolicy.Quota(int quota) -> Optional.empty();
            case DciPolicy.Random(long seed) -> Optional.empty();
        };
    }

    /** Opens all of them to RTS, or none. */
    static CompletionStage<List<DcInitiator>> open(ProtectionDomain domain, DciPoolDescription requested) {
        try {
            check(requested.initiators(), requested.policy());
            checkDepth(requested.initiatorDescription().capacity());
            checkFiniteRetries(requested, domain.context().adapter().profile());
        } catch (VerbsException refusal) {
            return CompletableFuture.failedStage(refusal);
        }
        List<DcInitiator> made = new ArrayList<>();
        CompletionStage<Void> all = CompletableFuture.completedStage(null);
        for (int index = 0; index < requested.initiators(); index++) {
            QpDescription<DcInitiator> each = streams(index, requested.initiators(), requested.policy())
                    .map(requested.initiatorDescription()::withStreams)
                    .orElse(requested.initiatorDescription());
            all = all.thenCompose(before -> domain.createQp(each)).thenCompose(initiator -> {
                made.add(initiator);
                return initiator.open(requested.attributes());
            });
        }
        return all.thenApply(opened -> List.copyOf(made))
                .exceptionallyCompose(reason -> close(made)
                        .handle((closed, refusal) -> CompletableFuture.<List<DcInitiator>>failedStage(reason))
                        .thenCompose(closed -> closed));
    }

    /** Closes all of them; fails as the first failure. */
    static CompletionStage<Void> close(List<DcInitiator> initiators) {
        return CompletableFuture.allOf(initiators.stream()
                .map(each -> each.closeAsync().toCompletableFuture())
                .toArray(CompletableFuture[]::new));
    }
}
