// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.List;
import java.util.OptionalInt;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.lab.conform.Messages.Message;

/**
 * Comparison of the completions of the requester's work with those of the real program; without notes, with the captured
 * responses.
 */
final class RequestEndings {
    private final PacketDirection direction;
    private final LaterEvidence laterEvidence;
    private final Notes notes;
    private final ComparisonBuilder tally;
    private final List<Message> posted;

    /** PSN of the fatal NAK: that request ends with its status, and all later ones are flushed. */
    private final OptionalInt refusedAt;

    /** @param posted in order */
    RequestEndings(
            PacketDirection direction,
            LaterEvidence laterEvidence,
            Notes notes,
            ComparisonBuilder tally,
            List<Message> posted) {
        this.direction = direction;
        this.laterEvidence = laterEvidence;
        this.notes = notes;
        this.tally = tally;
        this.posted = List.copyOf(posted);
        refusedAt = refusedAt();
    }

    private OptionalInt refusedAt() {
        return direction.answers().stream()
                .filter(answer -> answer.isIntact() && isFatal(answer))
                .mapToInt(CapturedPacket::psn)
                .findFirst();
    }

    private static boolean isFatal(CapturedPacket answer) {
        return answer.isRefusal()
                && !answer.isSequenceNak()
                && !Syndrome.isRnr(answer.packet().aeth().syndrome());
    }

    /** @param got completions of the posted work, in order */
    void compare(List<WorkCompletion> got) {
        // The printed completions include requests that the machine did not receive.
        boolean isWhole = !direction.unknown().isSomething();
        List<Notes.Printed> seenThere = notes.completions(direction.requester()).stream()
                .filter(printed ->
                        isWhole && !printed.isReceive() && !printed.operation().equals("BIND_MW"))
                .toList();
        int due = isWhole && notes.confirmsComplete() ? posted.size() : laterEvidence.done(posted);
        if (got.size() < due) {
            tally.mismatch(
                    0,
                    due + " completed requests",
                    got.size() + " completions",
                    FieldDifference.of("completions", due, got.size()));
        }
        for (int i = got.size(); i < seenThere.size(); i++) {
            if (seenThere.get(i).status() != Status.WR_FLUSH_ERR.code()) {
                tally.completion();
                missing(i, seenThere.get(i));
            }
        }
        for (int i = 0; i < got.size(); i++) {
            tally.completion();
            int expected = i < seenThere.size() ? seenThere.get(i).status() : expected(i);
            compare(i, expected, got.get(i).status());
        }
    }

    private int expected(int request) {
        if (refusedAt.isEmpty()
                || Psn.compare(refusedAt.getAsInt(), posted.get(request).lastPsn()) > 0) {
            return Status.SUCCESS.code();
        }
        return Psn.compare(refusedAt.getAsInt(), posted.get(request).firstPsn()) < 0
                ? Status.WR_FLUSH_ERR.code()
                : refusal().code();
    }

    private Status refusal() {
        return direction.answers().stream()
                .filter(answer -> answer.isIntact() && isFatal(answer))
                .map(answer -> switch (answer.packet().aeth().syndrome()) {
                    case Syndrome.NAK_INVALID_REQUEST -> Status.REM_INV_REQ_ERR;
                    case Syndrome.NAK_REMOTE_ACCESS -> Status.REM_ACCESS_ERR;
                    case Syndrome.NAK_REMOTE_OPERATION -> Status.REM_OP_ERR;
                    default -> Status.BAD_RESP_ERR;
                })
                .findFirst()
                .orElse(Status.SUCCESS);
    }

    private void compare(int request, int expected, Status got) {
        if (got.code() == expected) {
            tally.matched();
        } else {
            tally.mismatch(
                    0,
                    "status " + expected + " of request " + request,
                    got.name(),
                    FieldDifference.of("completion status", expected, got.code()));
        }
    }

    /** Counts a completion of the real program that the machine lacks. */
    private void missing(int request, Notes.Printed printed) {
        if (notes.isCut()) {
            tally.differs(Difference.CUT_OFF);
        } else {
            tally.oneSided(
                    0, "completion", "a completion of request " + request + ", " + printed, FieldDifference.NONE);
        }
    }
}
