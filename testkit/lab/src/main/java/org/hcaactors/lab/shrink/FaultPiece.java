// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.shrink;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.lab.fault.Fault;
import org.hcaactors.lab.fault.FaultOverride;
import org.hcaactors.lab.fault.FaultPlan;

/**
 * One fault of a candidate run; the shrinker leaves it out if the run still fails without it.
 *
 * @param arming 0-based index of the fault, armed by the program, that this one replaces; {@link #DRAWN} if it replaces none
 * @param keep true if it is that fault itself, unchanged
 */
record FaultPiece(int arming, Fault fault, boolean keep) {
    static final int DRAWN = -1;

    FaultPiece with(Fault other) {
        return new FaultPiece(arming, other, false);
    }

    /** @param armed the faults that the program arms itself */
    static List<FaultPiece> of(Attempt attempt, List<Fault> armed) {
        List<FaultPiece> parts = new ArrayList<>();
        attempt.plan().faults().forEach(fault -> parts.add(new FaultPiece(DRAWN, fault, false)));
        for (int i = 0; i < attempt.own().size(); i++) {
            int arming = i;
            switch (attempt.own().get(i)) {
                case FaultOverride.Keep own -> parts.add(new FaultPiece(arming, armed.get(arming), true));
                case FaultOverride.These others ->
                    others.plan().faults().forEach(fault -> parts.add(new FaultPiece(arming, fault, false)));
            }
        }
        return parts;
    }

    /** Returns the attempt with only these parts. */
    static Attempt in(Attempt attempt, List<FaultPiece> parts) {
        List<FaultOverride> own = new ArrayList<>();
        for (int i = 0; i < attempt.own().size(); i++) {
            int arming = i;
            boolean keep = parts.stream().anyMatch(part -> part.arming == arming && part.keep);
            own.add(keep ? FaultOverride.keep() : new FaultOverride.These(plan(parts, arming)));
        }
        return attempt.with(plan(parts, DRAWN), own);
    }

    /** Returns the same attempt in shorter form: a fault that is replaced by itself is armed unchanged. */
    static Attempt asArmed(Attempt attempt, List<Fault> armed) {
        List<FaultOverride> own = new ArrayList<>();
        for (int i = 0; i < attempt.own().size(); i++) {
            FaultOverride instead = attempt.own().get(i);
            boolean itself = instead.equals(new FaultOverride.These(FaultPlan.of(armed.get(i))));
            own.add(itself ? FaultOverride.keep() : instead);
        }
        while (!own.isEmpty() && own.getLast().equals(FaultOverride.keep())) {
            own.removeLast();
        }
        return attempt.with(attempt.plan(), own);
    }

    private static FaultPlan plan(List<FaultPiece> parts, int arming) {
        return new FaultPlan(parts.stream()
                .filter(part -> part.arming == arming)
                .map(FaultPiece::fault)
                .toList());
    }
}
