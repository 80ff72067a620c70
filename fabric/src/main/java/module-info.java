// SPDX-License-Identifier: Apache-2.0
/** The fabric as an actor, and timers for actors. */
module org.hcaactors.fabric {
    requires transitive org.hcaactors.packet;
    requires static transitive org.jspecify;
    requires transitive pekko.actor.typed;
    requires pekko.actor;

    exports org.hcaactors.fabric.actor to
            org.hcaactors.actors,
            org.hcaactors.cluster,
            org.hcaactors.gateway;
    exports org.hcaactors.fabric.uplink;
    exports org.hcaactors.fabric.time to
            org.hcaactors.actors,
            org.hcaactors.gateway;
}
