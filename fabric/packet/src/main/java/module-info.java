// SPDX-License-Identifier: Apache-2.0
/** Packets, wire format, capture files, and the machines of links and switches. */
module org.hcaactors.packet {
    requires static transitive org.jspecify;

    exports org.hcaactors.fabric.capture;
    exports org.hcaactors.fabric.flow;
    exports org.hcaactors.fabric.link;
    exports org.hcaactors.fabric.mad;
    exports org.hcaactors.fabric.packet;
    exports org.hcaactors.fabric.wire;

    // For the other jars of this project only.
    exports org.hcaactors.mutation to
            org.hcaactors.actors,
            org.hcaactors.protocol;

    // Jackson reads these values reflectively when a recorded run is written or read as JSON.
    opens org.hcaactors.fabric.flow to
            com.fasterxml.jackson.databind;
    opens org.hcaactors.fabric.packet to
            com.fasterxml.jackson.databind;
}
