// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.tag;

/**
 * State of a tag list at one instant.
 *
 * <p>Immutable; components are added in minor versions.
 *
 * @param tags receives that wait for a message
 * @param notMatching those of them that match no message until the program reports its handled messages (rule tag-phase)
 * @param unexpected messages that the adapter has delivered as unexpected, modulo 2^16
 * @param handled number of handled unexpected messages that the program last reported
 */
public record TagSnapshot(int tags, int notMatching, int unexpected, int handled) {}
