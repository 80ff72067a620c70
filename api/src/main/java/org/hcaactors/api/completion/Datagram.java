// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.completion;

/**
 * What a datagram's completion says beyond the others.
 *
 * @param sourceQp the sender's queue pair
 * @param pkeyIndex entry of the P_Key table that it matched
 * @param globalRoute the first 40 bytes of the buffer hold the sender's address ({@code IBV_WC_GRH}); always on RoCE
 */
public record Datagram(int sourceQp, int pkeyIndex, boolean globalRoute) {}
