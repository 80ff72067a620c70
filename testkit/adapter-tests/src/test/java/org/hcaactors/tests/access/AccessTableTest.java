// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each kind of key, each use of it, each possible mistake: the completions on both sides. */
@Tag("judge")
class AccessTableTest {
    private static final Path PAGE = Path.of("../../docs/guide/access.md");
    private static final Profile PROFILE = Profile.CONNECTX_5;

    /** Mistakes that are refused for every kind of key. */
    private static final Set<Wrong> PLAINLY_WRONG = EnumSet.of(
            Wrong.UNKNOWN_KEY,
            Wrong.OTHER_VARIANT,
            Wrong.OTHER_DOMAIN,
            Wrong.BELOW,
            Wrong.BEYOND,
            Wrong.REVOKED_BEFORE);

    private record Cell(KeyKind kind, Use use, Wrong wrong) {
        boolean exists() {
            return wrong != Wrong.OTHER_QUEUE_PAIR || kind.isTied();
        }

        boolean isRefused() {
            boolean lacks = wrong == Wrong.NO_RIGHT && use.needs().isPresent();
            boolean noAtomics = kind.isWindow() && use.isOneWord() && PROFILE.has(Quirk.NO_ATOMICS_THROUGH_WINDOWS);
            return kind.isWindow() && use.isLocal()
                    || noAtomics
                    || lacks
                    || PLAINLY_WRONG.contains(wrong)
                    || wrong == Wrong.OTHER_QUEUE_PAIR;
        }
    }

    private static Outcome refused(Use use) {
        if (!use.isLocal()) {
            return new Outcome(Status.REM_ACCESS_ERR, Optional.empty(), QpState.ERR);
        }
        return use == Use.RECEIVE_INTO
                ? new Outcome(Status.REM_OP_ERR, Optional.of(Status.LOC_PROT_ERR), QpState.ERR)
                : Outcome.of(Status.LOC_PROT_ERR);
    }

    private static Outcome granted(Use use) {
        boolean message = use == Use.SEND_FROM || use == Use.RECEIVE_INTO;
        Optional<Status> receive = message ? Optional.of(Status.SUCCESS) : Optional.empty();
        return new Outcome(Status.SUCCESS, receive, QpState.RTS);
    }

    private static Set<Outcome> allowed(Cell cell) {
        if (cell.isRefused()) {
            return Set.of(refused(cell.use));
        }
        return cell.wrong == Wrong.REVOKED_DURING
                ? Set.of(refused(cell.use), granted(cell.use))
                : Set.of(granted(cell.use));
    }

    private static Stream<Cell> cells() {
        return Stream.of(KeyKind.values())
                .flatMap(kind -> Stream.of(Use.values())
                        .flatMap(use -> Stream.of(Wrong.values()).map(wrong -> new Cell(kind, use, wrong))))
                .filter(Cell::exists);
    }

    // rules memory-right-of-verb, memory-domain, memory-key-layout, memory-each-packet, memory-deregister
    @Test
    void everyCellAgreesWithTheRules() throws IOException {
        Map<Cell, Outcome> outcomes = new LinkedHashMap<>();
        List<String> wrongs = new ArrayList<>();
        cells().forEach(cell -> outcomes.put(cell, outcome(cell, Trial::allocated, wrongs)));
        assertThat(wrongs).isEmpty();
        assertThat(outcomes.entrySet())
                .as("some are caught in the middle of a message")
                .anyMatch(entry -> entry.getKey().wrong == Wrong.REVOKED_DURING
                        && !entry.getKey().isRefused()
                        && entry.getValue().equals(refused(entry.getKey().use)));
        isOnThePage(page(outcomes));
    }

    // rule memory-program
    @Test
    void aProgramsMemoryAgreesWithTheSameRules() {
        List<String> wrongs = new ArrayList<>();
        Set<Wrong> tried = EnumSet.of(Wrong.NOTHING, Wrong.BEYOND, Wrong.NO_RIGHT, Wrong.REVOKED_DURING);
        cells().filter(cell -> cell.kind != KeyKind.PHYSICAL_REGION && tried.contains(cell.wrong))
                .forEach(cell -> outcome(cell, Trial::ofAProgram, wrongs));
        assertThat(wrongs).isEmpty();
    }

    private static Outcome outcome(Cell cell, Trial.Ground ground, List<String> wrongs) {
        try (Trial trial = new Trial(cell.kind, cell.use, cell.wrong, PROFILE, ground)) {
            Outcome outcome = trial.run();
            if (!allowed(cell).contains(outcome)) {
                wrongs.add(cell + ": " + outcome + "; allowed: " + allowed(cell));
            }
            if (!trial.leftTheRestAlone()) {
                wrongs.add(cell + ": a byte outside of the key's part was written");
            }
            if (cell.isRefused() && cell.wrong != Wrong.REVOKED_DURING && !trial.leftItAlone()) {
                wrongs.add(cell + ": it was refused, and bytes were written");
            }
            if (outcome.equals(granted(cell.use)) && cell.use.writes() && trial.leftItAlone()) {
                wrongs.add(cell + ": it was granted, and no byte was written");
            }
            if (cell.wrong == Wrong.REVOKED_DURING && !trial.leftItAsItWasRevoked()) {
                wrongs.add(cell + ": bytes were written behind the revocation");
            }
            return outcome;
        }
    }

    private static String page(Map<Cell, Outcome> outcomes) {
        StringBuilder page = new StringBuilder("""
                # Access

                The build makes this page (`AccessTableTest`, profile `%s`). Each table is for one kind of memory key,
                each column for one use of the key, each row for one mistake. A test uses the key once, in the middle of its
                owner's memory. A cell shows the status of the requester's completion, the status of the receive at the other
                end if one completes, and the other end's state if it is not RTS. "Revoked during" is a message of 16 packets,
                or one word, and a revocation by the verb of the key's kind while the message is in progress: whichever comes
                first decides, and no byte is moved after the revocation.
                """.formatted(PROFILE.name()));
        for (KeyKind kind : KeyKind.values()) {
            page.append("\n## ").append(kind).append("\n\n");
            page.append(row("", Stream.of(Use.values()).map(Use::toString)));
            page.append(row("---", Stream.of(Use.values()).map(use -> "---")));
            for (Wrong wrong : Wrong.values()) {
                if (new Cell(kind, Use.SEND_FROM, wrong).exists()) {
                    page.append(row(
                            wrong.toString(),
                            Stream.of(Use.values())
                                    .map(use -> String.valueOf(outcomes.get(new Cell(kind, use, wrong))))));
                }
            }
        }
        return page.toString();
    }

    private static String row(String head, Stream<String> cells) {
        return cells.collect(Collectors.joining(" | ", "| " + head + " | ", " |\n"));
    }

    private static void isOnThePage(String text) throws IOException {
        if (Boolean.getBoolean("guide.write")) {
            Files.writeString(PAGE, text);
        }
        assertThat(PAGE).as("made anew by -Dguide.write=true").hasContent(text);
    }
}
