// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.firmware;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.hcaactors.api.firmware.FirmwareParameter;

// rule firmware-levels
/**
 * Firmware parameters of an adapter whose value differs from the default. Immutable.
 *
 * @param current values in effect since the last start
 * @param next values from the next start on
 */
public record FirmwareSettings(Map<FirmwareParameter, Long> current, Map<FirmwareParameter, Long> next) {
    public static final FirmwareSettings DEFAULTS = new FirmwareSettings(Map.of(), Map.of());

    public FirmwareSettings {
        current = ordered(current);
        next = ordered(next);
    }

    private static Map<FirmwareParameter, Long> ordered(Map<FirmwareParameter, Long> values) {
        Map<FirmwareParameter, Long> ordered = new EnumMap<>(FirmwareParameter.class);
        ordered.putAll(values);
        return Collections.unmodifiableMap(ordered);
    }
}
