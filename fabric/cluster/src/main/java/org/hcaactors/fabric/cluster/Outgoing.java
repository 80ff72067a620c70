// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import java.util.OptionalLong;

/**
 * A packet that reached the border.
 *
 * @param event its arrival there, if it is traced
 */
record Outgoing(Carried carried, OptionalLong event) {}
