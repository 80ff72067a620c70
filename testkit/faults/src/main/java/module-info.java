// SPDX-License-Identifier: Apache-2.0
/** Fault injection: fault plans, drawn faults, forged packets. */
module org.hcaactors.faults {
    requires transitive org.hcaactors.actors;
    requires transitive org.hcaactors.views;
    requires static transitive org.jspecify;
    requires pekko.actor;
    requires transitive pekko.actor.typed;
    requires typesafe.config;

    exports org.hcaactors.lab.fault;
    exports org.hcaactors.lab.hocon;
    exports org.hcaactors.lab.chance to
            org.hcaactors.lab;
}
