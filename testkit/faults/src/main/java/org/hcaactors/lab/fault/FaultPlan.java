// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.lab.hocon.Section;

/**
 * The faults of a run. A plan is data: it prints as sentences, is stored as HOCON ({@link #toHocon}) and loaded again ({@link
 * #parse}).
 */
public record FaultPlan(List<Fault> faults) {
    public static final FaultPlan NONE = new FaultPlan(List.of());

    public FaultPlan {
        faults = List.copyOf(faults);
        faults.forEach(Interval::check);
    }

    public static FaultPlan of(Fault... faults) {
        return new FaultPlan(List.of(faults));
    }

    /**
     * Returns the plan as HOCON: {@code faults = [ { drop { says = ACK, from = b, nth = 1 } } ]}.
     *
     * @throws IllegalArgumentException if it contains code of the user
     */
    public String toHocon() {
        return PlanWriter.write(this);
    }

    /** Returns each fault as one line of HOCON, as in the list of {@link #toHocon}. */
    public List<String> lines() {
        return faults.stream().map(PlanWriter::line).toList();
    }

    /**
     * Parses a plan.
     *
     * @throws IllegalArgumentException with line, key and what is allowed, if the text is not a plan
     */
    public static FaultPlan parse(String hocon) {
        return PlanReader.read(Section.parse(hocon, ""));
    }

    /** Reads the plan in a part of a file, from its list {@code faults}. */
    public static FaultPlan of(Section whole) {
        return PlanReader.read(whole);
    }

    /** Returns a plan with these faults, followed by those of another. */
    public FaultPlan and(FaultPlan other) {
        return new FaultPlan(
                Stream.concat(faults.stream(), other.faults.stream()).toList());
    }

    /** Returns the plan without faults of that class. */
    public FaultPlan without(Class<? extends Fault> kind) {
        return new FaultPlan(
                faults.stream().filter(fault -> !kind.isInstance(fault)).toList());
    }

    /** Returns a sentence for each fault. */
    @Override
    public String toString() {
        return faults.isEmpty()
                ? "no faults"
                : faults.stream().map(Fault::words).collect(Collectors.joining("; "));
    }
}
