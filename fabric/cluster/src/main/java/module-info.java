// SPDX-License-Identifier: Apache-2.0
/** One fabric over the nodes of a Pekko cluster. */
module org.hcaactors.cluster {
    requires transitive org.hcaactors.fabric;
    requires static transitive org.jspecify;
    requires pekko.actor;
    requires transitive pekko.actor.typed;
    requires pekko.cluster;
    requires pekko.cluster.ddata;
    requires pekko.cluster.typed;
    requires scala.library;
    requires typesafe.config;
    requires org.slf4j;

    // Pekko creates the serializer that its configuration names.
    exports org.hcaactors.fabric.cluster;
}
