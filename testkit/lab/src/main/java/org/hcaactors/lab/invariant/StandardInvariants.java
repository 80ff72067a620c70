// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The standard invariants of a world. Those of programs find leaks, stages that never complete and changes of guarded memory.
 * Those of the adapter's protocol are for changes to adapters, and take most of the time.
 *
 * @param ledger the resource audit of the network
 * @param actors the names of the actors directly below an adapter's actor, by adapter name
 */
record StandardInvariants(ShadowMemory guards, ResourceLedger ledger, Function<String, List<String>> actors) {
    private static final List<InvariantProvider> PROVIDERS =
            ServiceLoader.load(InvariantProvider.class, InvariantProvider.class.getClassLoader()).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();

    /** True if the invariants of the adapter's protocol are on the class path. */
    static boolean knowsProtocol() {
        return !PROVIDERS.isEmpty();
    }

    List<Invariant> of(Scope scope) {
        if (!scope.isProvided()) {
            throw new IllegalStateException(
                    "Watch.PROTOCOL requires the invariants of the adapter's protocol, but no InvariantProvider on the class path has them: they"
                            + " are in testkit/judge of the project hca-actors; Watch.PROGRAM checks what programs do");
        }
        return switch (scope) {
            case PROTOCOL ->
                Stream.of(protocolInTheTrace(), protocolAtRest(), programs(), programsAtRest())
                        .flatMap(List::stream)
                        .toList();
            case PROGRAM ->
                Stream.of(programs(), programsAtRest()).flatMap(List::stream).toList();
            case AT_REST ->
                Stream.of(protocolAtRest(), programsAtRest())
                        .flatMap(List::stream)
                        .toList();
        };
    }

    /** Returns the invariants of programs that receive events. */
    private List<Invariant> programs() {
        return List.of(guards);
    }

    private List<Invariant> programsAtRest() {
        return List.of(
                new AllStagesComplete(ledger),
                new InternalSubscribersSurvive(ledger),
                new NoLeakedResources(ledger, actors));
    }

    private List<Invariant> protocolAtRest() {
        return PROVIDERS.stream()
                .flatMap(provider -> provider.atRest(ledger).stream())
                .toList();
    }

    private List<Invariant> protocolInTheTrace() {
        return PROVIDERS.stream()
                .flatMap(provider -> provider.inTheTrace(ledger, guards).stream())
                .toList();
    }
}
