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
 * A run that failed, with the faults that struck.
 *
 * @param faults faults of its world: the first {@code prepared} were armed before the program began, those up to {@code given}
 *     by the attempt, and all others by the program
 */
record Failed(Symptom symptom, String story, RecordedSchedule schedule, Faults faults, int prepared, int given) {
    /** Returns the faults that the program armed itself, if nothing replaced them. */
    List<Fault> own() {
        List<Fault> armed = faults.plan().faults();
        return armed.subList(Math.min(given, armed.size()), armed.size());
    }

    /** Returns the faults that were armed before the program began and struck. */
    List<Fault> before() {
        List<Fault> struck = new ArrayList<>();
        for (int i = 0; i < prepared; i++) {
            if (!faults.fired(i, i + 1).faults().isEmpty()) {
                struck.add(faults.plan().faults().get(i));
            }
        }
        return struck;
    }

    /** Returns the attempt with exactly the faults that struck, without random choices. */
    Attempt exactly(Attempt attempt) {
        List<FaultOverride> own = new ArrayList<>();
        int all = faults.plan().faults().size();
        for (int i = given; i < all; i++) {
            own.add(exactly(i));
        }
        return attempt.with(faults.fired(prepared, given), own);
    }

    /**
     * Returns the replacement of one fault. The program determines a moment, and user code belongs to its own world: such
     * faults are kept or removed, never changed.
     */
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
