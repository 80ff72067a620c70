package org.hcaactors.api.queue;

/**
 * What {@code ibv_query_qp} tells.
 *
 * @param sqDraining in SQD, and messages started before are not finished yet
 * @param sendPsn next PSN of a new request
 * @param receivePsn next PSN expected
 */
public record QpSnapshot(QpState state, boolean sqDraining, int sendPsn, int receivePsn) {}
