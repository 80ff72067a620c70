// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorRefWithCell;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.typed.ActorSystem;
import org.hcaactors.lab.fault.CrashTarget;
import scala.jdk.javaapi.CollectionConverters;

/** The actors that live in a world's network. */
record ActorRegistry(ActorSystem<?> system) {
    /**
     * Returns the names of the actors directly below an adapter's actor; empty if the adapter is gone. Call only while no actor
     * runs.
     */
    List<String> of(String adapter) {
        ActorRef guardian = ((ExtendedActorSystem) system.classicSystem()).systemGuardian();
        return child(guardian, CrashTarget.NETWORK)
                .flatMap(network -> child(network, adapter))
                .map(ActorRegistry::children)
                .orElse(List.of())
                .stream()
                .map(actor -> actor.path().name())
                .toList();
    }

    /** Returns the paths of all actors of Pekko and of programs, without what is below them. */
    Set<String> all() {
        ExtendedActorSystem all = (ExtendedActorSystem) system.classicSystem();
        return Stream.of(all.systemGuardian(), all.guardian())
                .flatMap(guardian -> children(guardian).stream())
                .map(actor -> actor.path().toStringWithoutAddress())
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Optional<ActorRef> child(ActorRef parent, String name) {
        return children(parent).stream()
                .filter(actor -> actor.path().name().equals(name))
                .findFirst();
    }

    private static List<ActorRef> children(ActorRef parent) {
        return parent instanceof ActorRefWithCell living
                ? List.copyOf(CollectionConverters.asJavaCollection(living.children()))
                : List.of();
    }
}
