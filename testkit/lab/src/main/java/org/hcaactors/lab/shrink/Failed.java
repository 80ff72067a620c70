// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.shrink;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.lab.fault.Fault;
import org.hcaactors.lab.fault.FaultOverride;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.fault.Faults;
import org.hcaactors.lab.world.RecordedSchedule;

/**
 * A run that failed, and what struck in it.
 *
 * @param faults of its world; the first {@code prepared} of them were armed before the program began, the rest up to {@code
 *     given} by the attempt, and all others by the program
 */
record Failed(Symptom symptom, String story, RecordedSchedule schedule, Faults faults, int prepared, int given) {
    /** What the program armed itself, where nothing replaced it. */
    List<Fault> own() {
        List<Fault> armed = faults.plan().faults();
        return armed.subList(Math.min(given, armed.size()), armed.size());
    }

    /** What was armed before the program began, and struck. */
    List<Fault> before() {
        List<Fault> struck = new ArrayList<>();
        for (int i = 0; i < prepared; i++) {
            if (!faults.fired(i, i + 1).faults().isEmpty()) {
                struck.add(faults.plan().faults().get(i));
            }
        }
        return struck;
    }

    /** What struck, without chance. */
    Attempt exactly(Attempt attempt) {
        List<FaultOverride> own = new ArrayList<>();
        int all = faults.plan().faults().size();
        for (int i = given; i < all; i++) {
            own.add(exactly(i));
        }
        return attempt.with(faults.fired(prepared, given), own);
    }

    /** A moment is the program's to name, and code of the user's belongs to its own world: both stay, or go as a whole. */
    private FaultOverride exactly(int number) {
        Fault fault = faults.plan().faults().get(number);
        FaultPlan struck = faults.fired(number, number + 1);
        if (struck.faults().isEmpty()) {
            return FaultOverride.nothing();
        }
        return switch (fault) {
            case Fault.OnPackets packets -> isData(packets) ? new FaultOverride.These(struck) : FaultOverride.keep();
            case Fault.OnVerbs verbs -> new FaultOverride.These(struck);
            case Fault.LoseWakeup lost -> new FaultOverride.These(struck);
            case Fault.Drawn drawn -> new FaultOverride.These(struck);
            case Fault.AtMoment moment -> FaultOverride.keep();
        };
    }

    private static boolean isData(Fault fault) {
        try {
            FaultPlan.of(fault).lines();
            return true;
        } catch (IllegalArgumentException ownCode) {
            return false;
        }
    }
}
