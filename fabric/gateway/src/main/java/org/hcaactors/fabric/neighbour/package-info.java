// SPDX-License-Identifier: Apache-2.0
/** Hosts at the other end of a link of Ethernet: ARP, neighbor discovery, ping. */
@NullMarked
package org.hcaactors.fabric.neighbour;

import org.jspecify.annotations.NullMarked;
