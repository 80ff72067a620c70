// SPDX-License-Identifier: Apache-2.0
/** Cables out of the JVM: RoCEv2 over UDP sockets; and captures in place of a peer. */
module org.hcaactors.gateway {
    requires jdk.net;
    requires org.hcaactors.fabric;
    requires transitive org.hcaactors.packet;
    requires static transitive org.jspecify;
    requires pekko.actor.typed;
    requires org.slf4j;

    exports org.hcaactors.fabric.cable;
    exports org.hcaactors.fabric.gateway to
            org.hcaactors.actors;
    exports org.hcaactors.fabric.recording;
}
