// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.placement;

import org.apache.pekko.actor.Address;
import org.hcaactors.api.address.Gid;

/**
 * Place of an adapter. Immutable.
 *
 * @param node address of the node's actor system
 * @param gid the adapter's address on the fabric
 */
public record PlacedAdapter(String name, Address node, Gid gid) {}
