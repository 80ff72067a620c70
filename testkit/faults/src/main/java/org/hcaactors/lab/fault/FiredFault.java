// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

/**
 * A fault that struck.
 *
 * @param fault its number in the plan, from 0
 * @param match which of the packets that it matches, from 1; 0 if it matches no packets
 * @param nanos when
 * @param what to what: a packet in words, or an object's name; of a drawn fault, what it became
 */
public record FiredFault(int fault, long match, long nanos, String what) {}
