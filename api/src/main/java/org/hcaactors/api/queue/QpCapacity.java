// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

/**
 * Sizes of a queue pair ({@code ibv_qp_cap}). Creation rounds the two queue lengths up to powers of two; the queue pair
 * tells the actual ones. A length of 0 leaves that queue out: posting to it is ENOMEM.
 *
 * @param maxSendWr work requests on the send queue
 * @param maxRecvWr receives on the receive queue
 * @param maxSendSge elements of a work request
 * @param maxRecvSge elements of a receive
 * @param maxInlineBytes inline data of a work request
 */
public record QpCapacity(int maxSendWr, int maxRecvWr, int maxSendSge, int maxRecvSge, int maxInlineBytes) {
    public static final QpCapacity DEFAULT = new QpCapacity(128, 128, 4, 4, 256);
}
