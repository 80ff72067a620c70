// SPDX-License-Identifier: Apache-2.0
/** Adapters on the nodes of a Pekko cluster: placed, drained and moved by Cluster Sharding. */
@NullMarked
package org.hcaactors.placement;

import org.jspecify.annotations.NullMarked;
