// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

/**
 * What {@code ibv_query_qp} tells.
 *
 * @param sqDraining in SQD, and messages started before are not finished yet
 * @param sendPsn next PSN of a new request
 * @param receivePsn next PSN expected
 * @param maxRdAtomic READs and atomics that may be outstanding at the peer
 * @param maxDestRdAtomic READs and atomics from the peer that may be outstanding here
 */
public record QpSnapshot(
        QpState state, boolean sqDraining, int sendPsn, int receivePsn, int maxRdAtomic, int maxDestRdAtomic) {}
