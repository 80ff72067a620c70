// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import org.hcaactors.fabric.packet.TransportClass;

/**
 * What a kind of queue pair is made of.
 *
 * @param speaks the class of its packets; others are not for it
 */
public record Halves(TransportClass speaks, Initiator initiator, Target target) {}
