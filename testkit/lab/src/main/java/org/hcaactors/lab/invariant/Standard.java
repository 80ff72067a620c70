// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The invariants that worlds have. What a program does wrong shows in those of programs: in what it leaves behind, in what it waits for in
 * vain, in memory that it wants guarded. That adapters keep their protocol is for those who change adapters, and takes most of the time.
 *
 * @param ledger of the network
 * @param actors the names of the actors directly below an adapter's, by its name
 */
record Standard(Guards guards, Ledger ledger, Function<String, List<String>> actors) {
    List<Invariant> of(Scope scope) {
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

    /** Those that look at events. */
    private List<Invariant> programs() {
        return List.of(guards);
    }

    private List<Invariant> programsAtRest() {
        return List.of(new EveryStageEnds(ledger), new OwnSubscribersStay(ledger), new NothingIsHeld(ledger, actors));
    }

    private List<Invariant> protocolAtRest() {
        return List.of(new NeverStandsStill(ledger), new KeepsItsBounds(ledger));
    }

    private List<Invariant> protocolInTheTrace() {
        return List.of(
                new CompletesOnce(),
                new MatchesTags(ledger),
                new EndsBehindAnError(),
                new DeliversOnce(),
                new MemoryRights(),
                new WritesWhatArrived(),
                new WritesInRange(),
                new CopiesAtPoll(),
                new PagesAreThere(),
                new PagesAreAwaited(),
                new Protection(),
                new ReachesWhatIsNamed(ledger),
                new Sessions(),
                new SequenceNumbers(),
                new RnrWait(),
                new GoesBackOnce(),
                new SpendsItsRetries(),
                new StartsInTurn(),
                new TellsEveryGap(),
                new ReadResponses(),
                new RefusalsTold(),
                new EventsDue(),
                new CountsPages(ledger),
                new SourceAddress(),
                new WakesWhenArmed(ledger),
                new WakesItsWaiter(),
                new NumbersRest(),
                new StartsAnew(),
                new CrashesOnPurpose(),
                new AtomicsLinearizable(guards));
    }
}
