// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

/**
 * What an unreliable connected queue pair carries: neither reads nor atomics, which need an answer.
 *
 * <p>Immutable.
 */
public sealed interface UcWork extends WorkRequest permits Send, RdmaWrite, KeyWork {}
