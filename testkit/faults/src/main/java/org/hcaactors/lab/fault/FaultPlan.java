// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.lab.hocon.Section;

/**
 * What is to go wrong in a run. A plan is data: it prints as sentences, is stored as HOCON ({@link #toHocon}) and loaded
 * again ({@link #parse}).
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

    /** {@code faults = [ { drop { says = ACK, from = b, nth = 1 } } ]}; IllegalArgumentException for code of the user's. */
    public String toHocon() {
        return PlanWriter.write(this);
    }

    /** Each fault as one line of HOCON, as it stands in the list of {@link #toHocon}. */
    public List<String> lines() {
        return faults.stream().map(PlanWriter::line).toList();
    }

    /** IllegalArgumentException with line, key and what is allowed for text that is no plan. */
    public static FaultPlan parse(String hocon) {
        return PlanReader.read(Section.parse(hocon, ""));
    }

    /** The same from a part of a file, whose list {@code faults} holds it. */
    public static FaultPlan of(Section whole) {
        return PlanReader.read(whole);
    }

    /** These, and then those of another. */
    public FaultPlan and(FaultPlan other) {
        return new FaultPlan(
                Stream.concat(faults.stream(), other.faults.stream()).toList());
    }

    /** The plan less every fault of that kind. */
    public FaultPlan without(Class<? extends Fault> kind) {
        return new FaultPlan(
                faults.stream().filter(fault -> !kind.isInstance(fault)).toList());
    }

    /** A sentence for each fault. */
    @Override
    public String toString() {
        return faults.isEmpty()
                ? "no faults"
                : faults.stream().map(Fault::words).collect(Collectors.joining("; "));
    }
}
