// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

/**
 * A request that a UD queue pair accepts.
 *
 * <p>Immutable.
 */
public sealed interface UdWork extends WorkRequest permits Send {}
