// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.node;

import com.typesafe.config.Config;
import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.lab.nodes.HostPort;

/** The way in which a node becomes a member of a cluster. */
public sealed interface Entrance {
    /** As the first node of a new cluster. */
    record First() implements Entrance {}

    /** As the configuration says, by Pekko itself: seed nodes, or the bootstrap of Pekko Management. */
    record Configured() implements Entrance {}

    /**
     * By asking nodes. The first one may be this node: it then begins a cluster, unless one of the others lets it in.
     *
     * @param nodes of which one answers, at least one
     */
    record Join(List<HostPort> nodes) implements Entrance {
        public Join {
            nodes = List.copyOf(nodes);
        }
    }

    /** Returns the way of a node for which none is named. */
    static Entrance of(Config config) {
        boolean configured = !config.getStringList("pekko.cluster.seed-nodes").isEmpty()
                || Stream.of("pekko.extensions", "pekko.library-extensions")
                        .flatMap(path -> config.getStringList(path).stream())
                        .anyMatch(name -> name.endsWith(".ClusterBootstrap"));
        return configured ? new Configured() : new First();
    }
}
