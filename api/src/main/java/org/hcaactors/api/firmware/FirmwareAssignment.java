// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.firmware;

import java.util.List;
import java.util.OptionalLong;

/**
 * A value for a parameter. Immutable.
 *
 * @param value the number of the value in its {@linkplain FirmwareParameter#type type}
 */
public record FirmwareAssignment(FirmwareParameter parameter, long value) {
    public static FirmwareAssignment on(FirmwareParameter parameter) {
        return new FirmwareAssignment(parameter, 1);
    }

    public static FirmwareAssignment off(FirmwareParameter parameter) {
        return new FirmwareAssignment(parameter, 0);
    }

    /** Parses {@code NAME=value}; FirmwareException unless it has a parameter's name and a value of its type. */
    public static FirmwareAssignment parse(String text) {
        int equals = text.indexOf('=');
        if (equals < 1) {
            throw new FirmwareException(List.of(new FirmwareRefusal.InvalidAssignment(text)));
        }
        String name = text.substring(0, equals);
        String value = text.substring(equals + 1);
        FirmwareParameter parameter = FirmwareParameter.find(name)
                .orElseThrow(() -> new FirmwareException(List.of(new FirmwareRefusal.Unknown(name))));
        OptionalLong number = parameter.type().parse(value);
        if (number.isEmpty()) {
            throw new FirmwareException(List.of(new FirmwareRefusal.InvalidValue(
                    parameter, value, parameter.type().range())));
        }
        return new FirmwareAssignment(parameter, number.getAsLong());
    }

    @Override
    public String toString() {
        return parameter + "=" + value;
    }
}
