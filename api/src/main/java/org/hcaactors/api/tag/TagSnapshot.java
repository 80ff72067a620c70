// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.tag;

/**
 * How a tag list stands.
 *
 * <p>Immutable; components are added in minor versions.
 *
 * @param tags receives that wait for a message
 * @param notMatching those among them that match nothing before the program says what it has dealt with (rule tag-phase)
 * @param unexpected messages that the adapter delivered as unexpected so far, modulo 2^16
 * @param handled what the program said last of those
 */
public record TagSnapshot(int tags, int notMatching, int unexpected, int handled) {}
