// SPDX-License-Identifier: Apache-2.0
/** Test library for programs: worlds, the JUnit extension, checks of programs, pairs, assertions, shrinking. */
module org.hcaactors.lab {
    requires java.management;
    requires transitive org.assertj.core;
    requires transitive org.hcaactors.actors;
    requires transitive org.hcaactors.faults;
    requires transitive org.hcaactors.views;
    requires static transitive org.jspecify;
    requires static org.junit.jupiter.api;
    requires static org.junit.platform.launcher;
    requires transitive org.opentest4j;
    requires transitive pekko.actor;
    requires transitive pekko.actor.typed;
    requires transitive scala.library;
    requires transitive typesafe.config;

    exports org.hcaactors.lab.assertion;
    exports org.hcaactors.lab.invariant;
    exports org.hcaactors.lab.junit;
    exports org.hcaactors.lab.pair;
    exports org.hcaactors.lab.picture;
    exports org.hcaactors.lab.profile;
    exports org.hcaactors.lab.program;
    exports org.hcaactors.lab.seeds;
    exports org.hcaactors.lab.shrink;
    exports org.hcaactors.lab.world;

    uses org.hcaactors.lab.invariant.InvariantProvider;
}
