// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

/**
 * A request that a UC queue pair accepts: no READs and atomics, which need responses.
 *
 * <p>Immutable.
 */
public sealed interface UcWork extends WorkRequest permits Send, RdmaWrite, KeyWork {}
