// SPDX-License-Identifier: Apache-2.0
/**
 * Machines and values of the adapter's protocol, without actors. Only trace events, the resource audit and number allocation are
 * public.
 */
module org.hcaactors.protocol {
    requires transitive org.hcaactors.api;
    requires transitive org.hcaactors.packet;
    requires static transitive org.jspecify;

    exports org.hcaactors.adapter.audit;
    exports org.hcaactors.adapter.flow;
    exports org.hcaactors.adapter.number;

    // Recorded runs are JSON, and Jackson accesses these values by reflection.
    opens org.hcaactors.adapter.flow to
            com.fasterxml.jackson.databind;

    // Used by other modules of this project.
    exports org.hcaactors.adapter.atomic to
            org.hcaactors.actors,
            org.hcaactors.conform;
    exports org.hcaactors.adapter.cm to
            org.hcaactors.actors,
            org.hcaactors.conform;
    exports org.hcaactors.adapter.completion to
            org.hcaactors.actors;
    exports org.hcaactors.adapter.counter to
            org.hcaactors.actors,
            org.hcaactors.conform,
            org.hcaactors.scenario;
    exports org.hcaactors.adapter.dc to
            org.hcaactors.actors;
    exports org.hcaactors.adapter.event to
            org.hcaactors.actors;
    exports org.hcaactors.adapter.firmware to
            org.hcaactors.actors,
            org.hcaactors.scenario;
    exports org.hcaactors.adapter.host to
            org.hcaactors.actors,
            org.hcaactors.conform,
            org.hcaactors.lab;
    exports org.hcaactors.adapter.indirect to
            org.hcaactors.actors;
    exports org.hcaactors.adapter.inline to
            org.hcaactors.actors,
            org.hcaactors.conform,
            org.hcaactors.faults;
    exports org.hcaactors.adapter.key to
            org.hcaactors.actors,
            org.hcaactors.conform;
    exports org.hcaactors.adapter.lease to
            org.hcaactors.actors,
            org.hcaactors.conform;
    exports org.hcaactors.adapter.notify to
            org.hcaactors.actors;
    exports org.hcaactors.adapter.page to
            org.hcaactors.actors;
    exports org.hcaactors.adapter.paging to
            org.hcaactors.actors;
    exports org.hcaactors.adapter.port to
            org.hcaactors.actors,
            org.hcaactors.conform;
    exports org.hcaactors.adapter.region to
            org.hcaactors.actors,
            org.hcaactors.conform;
    exports org.hcaactors.adapter.rendezvous to
            org.hcaactors.actors;
    exports org.hcaactors.adapter.service to
            org.hcaactors.actors;
    exports org.hcaactors.adapter.srq to
            org.hcaactors.actors;
    exports org.hcaactors.adapter.stage to
            org.hcaactors.actors,
            org.hcaactors.faults,
            org.hcaactors.lab;
    exports org.hcaactors.adapter.state to
            org.hcaactors.actors,
            org.hcaactors.conform;
    exports org.hcaactors.adapter.stream to
            org.hcaactors.actors;
    exports org.hcaactors.adapter.tag to
            org.hcaactors.actors,
            org.hcaactors.conform;
    exports org.hcaactors.adapter.window to
            org.hcaactors.actors;
    exports org.hcaactors.adapter.work to
            org.hcaactors.actors,
            org.hcaactors.conform,
            org.hcaactors.faults,
            org.hcaactors.lab;
    exports org.hcaactors.adapter.xrc to
            org.hcaactors.actors;
}
