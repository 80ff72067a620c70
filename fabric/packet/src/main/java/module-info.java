// SPDX-License-Identifier: Apache-2.0
/** Packets, wire format, captures, and the machines of links and switches. */
module org.hcaactors.packet {
    requires static transitive org.jspecify;

    exports org.hcaactors.fabric.capture;
    exports org.hcaactors.fabric.flow;
    exports org.hcaactors.fabric.link;
    exports org.hcaactors.fabric.packet;
    exports org.hcaactors.fabric.wire;

    // Our own other jars need this.
    exports org.hcaactors.mutation to
            org.hcaactors.actors,
            org.hcaactors.protocol;

    // Recorded runs are JSON: where one is written or read, Jackson looks into these values.
    opens org.hcaactors.fabric.flow to
            com.fasterxml.jackson.databind;
    opens org.hcaactors.fabric.packet to
            com.fasterxml.jackson.databind;
}
