// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

/**
 * What a datagram queue pair carries.
 *
 * <p>Immutable.
 */
public sealed interface UdWork extends WorkRequest permits Send {}
