// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.node;

import java.util.List;

/** The way in which a node becomes a member of a cluster. */
public sealed interface Entrance {
    /** As the first node of a new cluster; with seed nodes in the configuration as Pekko does it. */
    record First() implements Entrance {}

    /** @param nodes of which one answers, at least one */
    record Join(List<HostPort> nodes) implements Entrance {
        public Join {
            nodes = List.copyOf(nodes);
        }
    }
}
