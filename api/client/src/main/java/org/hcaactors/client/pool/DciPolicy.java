// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.DcStreams;

/**
 * Which initiator of a pool asks which target. Whatever it is, a target with requests outstanding is asked by the initiator that
 * has them, so that they stay in order. UCX has the same under the names given here ({@code UCX_DC_MLX5_TX_POLICY},
 * src/uct/ib/mlx5/dc/dc_mlx5_ep.h); hashing is the advice of "Dynamically-Connected Transport" (OFA 2018).
 *
 * <p>Immutable. More will follow: a switch over them wants a default.
 */
public sealed interface DciPolicy {
    /** What UCX sends before another one gets the initiator ({@code UCX_DC_MLX5_TX_QUOTA}). */
    int DEFAULT_QUOTA = 32;

    /**
     * The initiator that asked this target last, as it may still be connected; else the one that was used least recently, first
     * among those with nothing outstanding, as it is likely to be disconnected. Targets share initiators: none waits for
     * another one to be done, but its requests stand behind the other's.
     */
    record Hashed() implements DciPolicy {}

    /**
     * An initiator to itself as long as it has requests outstanding ({@code dcs}); the one that was freed last is taken first. Where
     * none is free it waits, for ever if the others never pause.
     */
    record Exclusive() implements DciPolicy {}

    /**
     * As {@link Exclusive}, but who has sent more than this while others wait is let drain, and lines up behind them ({@code
     * dcs_quota}). EINVAL for less than 1.
     *
     * @param requests sent before that
     */
    record Quota(int requests) implements DciPolicy {
        public Quota {
            atLeastOne(requests);
        }
    }

    /**
     * As {@link Quota} on all initiators but the last; who finds none free goes to that one, each target on a stream of it ({@code
     * dcs_hybrid}). EINVAL for less than 1. Takes two initiators, the last of them with these streams.
     *
     * @param requests sent before it is let drain
     * @param streams of the last initiator
     */
    record Hybrid(int requests, DcStreams streams) implements DciPolicy {
        public Hybrid {
            atLeastOne(requests);
        }
    }

    /**
     * One that is drawn when the target is asked first, and shared ({@code rand}): the same for the same seed and the same order
     * of targets.
     *
     * @param seed of the draws ({@code UCX_DC_MLX5_RAND_DCI_SEED})
     */
    record Random(long seed) implements DciPolicy {}

    /**
     * A stream of an initiator, given out in turn when the target is asked first ({@code hw_dcs}, {@code
     * UCX_DC_MLX5_NUM_DCI_CHANNELS}). Every initiator has these streams; UCX has one.
     *
     * @param streams of each initiator; as many are used as run beside each other
     */
    record Streams(DcStreams streams) implements DciPolicy {}

    private static void atLeastOne(int requests) {
        if (requests < 1) {
            throw VerbsException.invalid("a quota of " + requests + " requests; 1 or more are allowed");
        }
    }
}
