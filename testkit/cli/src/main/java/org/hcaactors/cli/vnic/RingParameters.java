// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.vnic;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.hcaactors.api.error.VerbsException;

// rule firmware-rings
/** Module parameters of the driver, as on a modprobe line. Immutable. */
public final class RingParameters {
    /** A module parameter, by the driver's name. More may be added: a switch over them needs a default. */
    public enum Parameter {
        /** Transmit rings; 0 for one per processor. */
        TX_RINGS_NUM(0, 32, false),
        TX_RINGS_LEN(1024, 8192, true),

        /** Receive rings; 0 for one per processor. */
        RX_RINGS_NUM(0, 32, false),
        RX_RINGS_LEN(2048, 8192, true),

        /** Streams that a ring aggregates to large frames (LRO); 0 for none. */
        LRO_NUM(32, 32, false);

        private final int defaultValue;
        private final int max;
        private final boolean powerOfTwo;

        Parameter(int defaultValue, int max, boolean powerOfTwo) {
            this.defaultValue = defaultValue;
            this.max = max;
            this.powerOfTwo = powerOfTwo;
        }

        public int defaultValue() {
            return defaultValue;
        }

        public int max() {
            return max;
        }

        String label() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }

        private int checked(int value) {
            if (powerOfTwo ? value < 1 || value > max || Integer.bitCount(value) != 1 : value < 0 || value > max) {
                throw VerbsException.invalid(label() + " is " + value + "; "
                        + (powerOfTwo ? "powers of two up to " + max : "0 to " + max)
                        + " are allowed, so the driver is not loaded");
            }
            return value;
        }
    }

    public static final RingParameters DEFAULT = new RingParameters(new EnumMap<>(Parameter.class));

    private final Map<Parameter, Integer> set;

    private RingParameters(Map<Parameter, Integer> set) {
        this.set = Collections.unmodifiableMap(set);
    }

    public int value(Parameter parameter) {
        return set.getOrDefault(parameter, parameter.defaultValue);
    }

    /**
     * Sets a parameter.
     *
     * @throws VerbsException (EINVAL) for a value with which the driver does not load
     */
    public RingParameters with(Parameter parameter, int value) {
        Map<Parameter, Integer> all = new EnumMap<>(Parameter.class);
        all.putAll(set);
        all.put(parameter, parameter.checked(value));
        return new RingParameters(all);
    }

    /**
     * Sets a parameter by {@code name=value}, as on a modprobe line.
     *
     * @throws VerbsException (EINVAL) if there is no such parameter, or for a value with which the driver does not load
     */
    public RingParameters with(String assignment) {
        String[] sides = assignment.split("=", 2);
        Parameter parameter = Arrays.stream(Parameter.values())
                .filter(each -> each.label().equals(sides[0]))
                .findFirst()
                .orElseThrow(
                        () -> VerbsException.invalid("unknown parameter " + sides[0] + "; allowed are " + names()));
        if (sides.length < 2 || !sides[1].matches("-?[0-9]{1,9}")) {
            throw VerbsException.invalid(assignment + " is not of the form " + parameter.label() + "=NUMBER");
        }
        return with(parameter, Integer.parseInt(sides[1]));
    }

    /** Returns all parameters by the driver's names. */
    public static String names() {
        return Arrays.stream(Parameter.values()).map(Parameter::label).collect(Collectors.joining(", "));
    }

    /** Returns the modprobe line for the parameters that were set; empty if none was. */
    public String modprobe() {
        return set.isEmpty()
                ? ""
                : set.entrySet().stream()
                        .map(each -> each.getKey().label() + "=" + each.getValue())
                        .collect(Collectors.joining(" ", "options mlx4_vnic ", ""));
    }
}
