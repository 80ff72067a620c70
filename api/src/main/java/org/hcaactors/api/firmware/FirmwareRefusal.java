// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.firmware;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.hcaactors.api.capability.Platform;

// rule firmware-all-or-nothing
/** Why settings stay as they are. Immutable; more will follow: a switch over them wants a default. */
public sealed interface FirmwareRefusal {
    /** What was wrong, and what is allowed. */
    String words();

    /** It is no {@code NAME=value}. */
    record InvalidAssignment(String text) implements FirmwareRefusal {
        @Override
        public String words() {
            return "Bad argument \"" + text + "\"; NAME=value is allowed";
        }
    }

    /** No firmware has a parameter of that name. */
    record Unknown(String name) implements FirmwareRefusal {
        @Override
        public String words() {
            return "Unknown Parameter: " + name + "; there are "
                    + Arrays.stream(FirmwareParameter.values()).map(Enum::name).collect(Collectors.joining(", "));
        }
    }

    /** This adapter's has none, or not with its settings of the next start. */
    record Unsupported(FirmwareParameter parameter) implements FirmwareRefusal {
        @Override
        public String words() {
            return "The Device doesn't support " + parameter + " parameter";
        }
    }

    /** It is there only with another one, which is off from the next start on. */
    record Hidden(FirmwareParameter parameter, FirmwareParameter needs) implements FirmwareRefusal {
        @Override
        public String words() {
            return "The Device doesn't support " + parameter + " parameter while " + needs
                    + " is off at the next boot; set " + needs + "=True before or along with it";
        }
    }

    // rule firmware-platform
    /** It wants other processors than its host has. */
    record OtherPlatform(FirmwareParameter parameter, Platform wants, Platform here) implements FirmwareRefusal {
        @Override
        public String words() {
            return "The Device doesn't support " + parameter + " parameter on this platform, " + here + "; it wants "
                    + wants;
        }
    }

    /** The adapter has others, or the type has. */
    record InvalidValue(FirmwareParameter parameter, String value, ValueRange allowed) implements FirmwareRefusal {
        @Override
        public String words() {
            return "Failed to set " + parameter + " to " + value + "; "
                    + parameter.type().allowed(allowed);
        }
    }

    /** It is set twice at once. */
    record Duplicate(FirmwareParameter parameter) implements FirmwareRefusal {
        @Override
        public String words() {
            return "The parameter " + parameter + " is assigned twice; once is allowed";
        }
    }

    /** It is told, and can't be set: what sits there is a virtual function. */
    record ReadOnly(FirmwareParameter parameter) implements FirmwareRefusal {
        @Override
        public String words() {
            return "The parameter " + parameter + " is read only here; it is set on the physical function";
        }
    }

    /** The adapter is a piece of software, or a model without settings. */
    record NoFirmware(String model) implements FirmwareRefusal {
        @Override
        public String words() {
            return "The Device has no firmware settings: " + model;
        }
    }

    /** What is kept of them can't be read as such. */
    record Damaged(String where, String reason) implements FirmwareRefusal {
        @Override
        public String words() {
            return "The settings in " + where + " can't be used: " + reason
                    + "; put them back from a copy, or take the file away to begin with the defaults";
        }
    }

    /** They could not be kept. Those of before count on, until somebody reads anew what is there: which is the one or the other. */
    record NotStored(String where, String reason) implements FirmwareRefusal {
        @Override
        public String words() {
            return "Failed to write the settings to " + where + ": " + reason + "; those of before count";
        }
    }
}
