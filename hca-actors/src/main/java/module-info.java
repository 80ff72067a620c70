// SPDX-License-Identifier: Apache-2.0
/** The adapter: its entry point, and its sink for JDK Flight Recorder. The actors are internal. */
module org.hcaactors.actors {
    requires jdk.jfr;
    // Pekko and Scala use sun.misc.Unsafe; as automatic modules they cannot require this module themselves.
    requires jdk.unsupported;
    requires org.hcaactors.fabric;
    requires transitive org.hcaactors.gateway;
    requires transitive org.hcaactors.api;
    requires transitive org.hcaactors.protocol;
    requires static transitive org.jspecify;
    requires org.slf4j;
    requires transitive pekko.actor;
    requires transitive pekko.actor.typed;
    requires pekko.slf4j;
    requires transitive pekko.stream;
    requires scala.library;
    requires typesafe.config;

    exports org.hcaactors.actors.flight;
    exports org.hcaactors.network;

    // For the other jars of this project only.
    exports org.hcaactors.actors.event to
            org.hcaactors.faults,
            org.hcaactors.lab;
    exports org.hcaactors.actors.key to
            org.hcaactors.faults;
    exports org.hcaactors.actors.log to
            org.hcaactors.lab;
    exports org.hcaactors.actors.notify to
            org.hcaactors.faults,
            org.hcaactors.lab;
    // Pekko creates the dispatcher that its configuration names.
    exports org.hcaactors.actors.shard to
            pekko.actor;
    exports org.hcaactors.actors.srq to
            org.hcaactors.lab;
    exports org.hcaactors.actors.window to
            org.hcaactors.conform;

    uses org.slf4j.spi.SLF4JServiceProvider;
}
