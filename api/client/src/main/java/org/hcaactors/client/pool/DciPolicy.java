// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.DcStreams;

/**
 * Policy that selects the initiator of a pool for each target. With every policy, requests to a target that has outstanding
 * requests use the same initiator, so that they stay in order. The policies are those of UCX under the names given here ({@code
 * UCX_DC_MLX5_TX_POLICY}, src/uct/ib/mlx5/dc/dc_mlx5_ep.h); hashing is recommended by "Dynamically-Connected Transport" (OFA
 * 2018).
 *
 * <p>Immutable. More will follow: a switch over them wants a default.
 */
public sealed interface DciPolicy {
    /** Default quota of UCX ({@code UCX_DC_MLX5_TX_QUOTA}). */
    int DEFAULT_QUOTA = 32;

    /**
     * Selects the initiator that this target used last, because it may still be connected; otherwise the least recently used
     * one, preferably with nothing outstanding, because it is probably disconnected. Targets share initiators: none waits until
     * another is done, but its requests are queued after the other's.
     */
    record Hashed() implements DciPolicy {}

    /**
     * Gives a target an initiator of its own while it has requests outstanding ({@code dcs}); the most recently freed one is
     * selected first. If none is free the target waits, possibly for ever if the others are never idle.
     */
    record Exclusive() implements DciPolicy {}

    /**
     * Like {@link Exclusive}, but a target that has sent more than the quota while others wait drains its initiator and queues
     * after them ({@code dcs_quota}). EINVAL below 1.
     *
     * @param requests the quota
     */
    record Quota(int requests) implements DciPolicy {
        public Quota {
            atLeastOne(requests);
        }
    }

    /**
     * Like {@link Quota} on all initiators but the last. A target that finds none free uses the last one, each target on a
     * stream of it ({@code dcs_hybrid}). EINVAL below 1. Needs two initiators, the last of them with these streams.
     *
     * @param requests the quota
     * @param streams of the last initiator
     */
    record Hybrid(int requests, DcStreams streams) implements DciPolicy {
        public Hybrid {
            atLeastOne(requests);
        }
    }

    /**
     * Draws an initiator at random when the target is used first; targets share initiators ({@code rand}). The choice is the
     * same for the same seed and the same order of targets.
     *
     * @param seed of the random numbers ({@code UCX_DC_MLX5_RAND_DCI_SEED})
     */
    record Random(long seed) implements DciPolicy {}

    /**
     * Assigns a stream of an initiator, in rotation, when the target is used first ({@code hw_dcs}, {@code
     * UCX_DC_MLX5_NUM_DCI_CHANNELS}). Every initiator has these streams; UCX has one initiator.
     *
     * @param streams of each initiator; as many are used as can be concurrent
     */
    record Streams(DcStreams streams) implements DciPolicy {}

    private static void atLeastOne(int requests) {
        if (requests < 1) {
            throw VerbsException.invalid("the quota is " + requests + " requests; 1 or more is allowed");
        }
    }
}
