// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.firmware;

import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.hcaactors.api.capability.Platform;

// rule firmware-all-or-nothing
/** Reason why settings were not changed. Immutable; more will follow: a switch over them wants a default. */
public sealed interface FirmwareRefusal extends Serializable {
    /** Returns what was wrong, and what is allowed. */
    String message();

    /** The text is not {@code NAME=value}. */
    record InvalidAssignment(String text) implements FirmwareRefusal {
        @Override
        public String message() {
            return "Bad argument \"" + text + "\"; NAME=value is allowed";
        }
    }

    /** No firmware has a parameter of that name. */
    record Unknown(String name) implements FirmwareRefusal {
        @Override
        public String message() {
            return "Unknown Parameter: " + name + "; the parameters are "
                    + Arrays.stream(FirmwareParameter.values()).map(Enum::name).collect(Collectors.joining(", "));
        }
    }

    /** The adapter does not have the parameter, or not with its settings of the next start. */
    record Unsupported(FirmwareParameter parameter) implements FirmwareRefusal {
        @Override
        public String message() {
            return "The Device doesn't support " + parameter + " parameter";
        }
    }

    /** The parameter exists only with another one, which is off from the next start. */
    record Hidden(FirmwareParameter parameter, FirmwareParameter required) implements FirmwareRefusal {
        @Override
        public String message() {
            return "The Device doesn't support " + parameter + " parameter while " + required
                    + " is off at the next boot; set " + required + "=True first or in the same call";
        }
    }

    // rule firmware-platform
    /** The parameter requires another processor family than the host has. */
    record OtherPlatform(FirmwareParameter parameter, Platform required, Platform actual) implements FirmwareRefusal {
        @Override
        public String message() {
            return "The Device doesn't support " + parameter + " parameter on this platform, " + actual
                    + "; it requires " + required;
        }
    }

    /** The value is not allowed by the adapter or by the type. */
    record InvalidValue(FirmwareParameter parameter, String value, ValueRange allowed) implements FirmwareRefusal {
        @Override
        public String message() {
            return "Failed to set " + parameter + " to " + value + "; "
                    + parameter.type().allowed(allowed);
        }
    }

    /** The parameter is set twice in one request. */
    record Duplicate(FirmwareParameter parameter) implements FirmwareRefusal {
        @Override
        public String message() {
            return "The parameter " + parameter + " is assigned twice; once is allowed";
        }
    }

    /** The parameter cannot be set, because the function is virtual. */
    record ReadOnly(FirmwareParameter parameter) implements FirmwareRefusal {
        @Override
        public String message() {
            return "The parameter " + parameter
                    + " is read-only on a virtual function; set it on the physical function";
        }
    }

    /** The adapter is implemented in software, or its model has no settings. */
    record NoFirmware(String model) implements FirmwareRefusal {
        @Override
        public String message() {
            return "The Device has no firmware settings: " + model;
        }
    }

    /** The stored settings cannot be parsed. */
    record Damaged(String where, String reason) implements FirmwareRefusal {
        @Override
        public String message() {
            return "The settings in " + where + " can't be used: " + reason
                    + "; restore the file from a copy, or delete it to start with the defaults";
        }
    }

    /**
     * The settings could not be stored. The previous ones remain in use until the store is read again, which then has either
     * the previous or the new ones.
     */
    record NotStored(String where, String reason) implements FirmwareRefusal {
        @Override
        public String message() {
            return "Failed to write the settings to " + where + ": " + reason
                    + "; the previous settings remain in effect";
        }
    }
}
