// SPDX-License-Identifier: Apache-2.0
/** Adapters on the nodes of a Pekko cluster: placed, drained and moved by Cluster Sharding. */
module org.hcaactors.placement {
    requires transitive org.hcaactors.actors;
    requires transitive org.hcaactors.cluster;
    requires static transitive org.jspecify;
    requires transitive pekko.actor;
    requires transitive pekko.actor.typed;
    requires pekko.cluster;
    requires pekko.cluster.ddata;
    requires pekko.cluster.sharding;
    requires pekko.cluster.sharding.typed;
    requires pekko.cluster.typed;
    requires scala.library;
    requires typesafe.config;
    requires org.slf4j;

    // Pekko creates the serializer that its configuration names.
    exports org.hcaactors.placement;
}
