// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

/**
 * A firing of a fault.
 *
 * @param fault its number in the plan, from 0
 * @param match number of the packet among those that it matches, from 1; 0 if it matches no packets
 * @param nanos time
 * @param what target: a packet as text, or an object's name; for a drawn fault, the fault that it became
 */
public record FiredFault(int fault, long match, long nanos, String what) {}
