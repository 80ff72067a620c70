// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.firmware.Firmware;
import org.hcaactors.api.firmware.FirmwareAssignment;
import org.hcaactors.api.firmware.FirmwareException;
import org.hcaactors.api.firmware.FirmwareParameter;
import org.hcaactors.api.firmware.FirmwareRefusal;
import org.hcaactors.api.firmware.FirmwareSetting;
import org.hcaactors.api.firmware.Restart;
import org.hcaactors.network.RdmaNetwork;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "config",
        description = {
            "The firmware settings of a modelled device, as mlxconfig shows and sets them:",
            "  query [NAME...]   values from the next start on; with -e also default and current values",
            "  set NAME=VALUE... set values from the next start on; if one is refused, none is set",
            "  reset [NAME...]   the defaults, from the next start on",
            "  fwreset, reboot, powercycle   the device restarts"
        },
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class Config implements Callable<Integer> {
    private static final List<String> VERBS = List.of("query", "set", "reset", "fwreset", "reboot", "powercycle");

    @Option(
            names = {"-d", "--dev"},
            paramLabel = "DEVICE",
            required = true,
            description = "device, such as mlx5_2, mt4121_pciconf0 or connectx5-ibm")
    private String device;

    @Option(
            names = {"-e", "--enable_verbosity"},
            description = "show default and current values, too")
    private boolean verbose;

    @Option(
            names = {"-y", "--yes"},
            description = "confirm every question with yes")
    private boolean yes;

    @Option(names = "--json", description = "print one JSON document instead")
    private boolean json;

    @Mixin
    private FirmwareFolder folder;

    @Parameters(paramLabel = "COMMAND", index = "0", description = "query, set, reset, fwreset, reboot or powercycle")
    private String verb;

    @Parameters(paramLabel = "ARGUMENT", index = "1..*", arity = "0..*", description = "NAME, or NAME=VALUE")
    private @Nullable List<String> arguments;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BadInputException {
        Device requested = Device.named(device);
        try (RdmaNetwork network = folder.network()) {
            return run(network, network.addAdapter(requested.slot(), requested.profile()));
        } catch (FirmwareException refused) {
            return printError(refused);
        } finally {
            out().flush();
        }
    }

    private int run(RdmaNetwork network, Adapter adapter) throws BadInputException {
        ConfigTable table = new ConfigTable(adapter, verbose, out());
        return switch (verb) {
            case "query", "q" -> query(adapter.firmware(), table);
            case "set", "s" -> set(adapter.firmware(), table);
            case "reset", "r" -> reset(adapter);
            case "fwreset" -> restart(network, adapter, Restart.FIRMWARE_RESET);
            case "reboot" -> restart(network, adapter, Restart.WARM_REBOOT);
            case "powercycle" -> restart(network, adapter, Restart.POWER_CYCLE);
            default ->
                throw new BadInputException("unknown command " + verb + "; allowed are " + String.join(", ", VERBS)
                        + DidYouMean.hint(verb, VERBS.stream()));
        };
    }

    private List<String> words() {
        return arguments == null ? List.of() : arguments;
    }

    private int query(Firmware firmware, ConfigTable table) {
        List<FirmwareSetting> rows = words().isEmpty()
                ? firmware.settings()
                : parameters().stream().map(firmware::setting).toList();
        if (rows.isEmpty()) {
            throw new FirmwareException(List.of(new FirmwareRefusal.NoFirmware(device)));
        }
        if (json) {
            out().println(table.json(rows));
        } else {
            table.query(rows);
        }
        return Hca.OK;
    }

    private List<FirmwareParameter> parameters() {
        List<FirmwareRefusal> unknown = new ArrayList<>();
        List<FirmwareParameter> found = new ArrayList<>();
        for (String name : words()) {
            FirmwareParameter.find(name)
                    .ifPresentOrElse(found::add, () -> unknown.add(new FirmwareRefusal.Unknown(name)));
        }
        if (!unknown.isEmpty()) {
            throw new FirmwareException(unknown);
        }
        return found;
    }

    private int set(Firmware firmware, ConfigTable table) throws BadInputException {
        if (words().isEmpty()) {
            throw new BadInputException("set requires at least one NAME=VALUE");
        }
        List<FirmwareAssignment> requested = assignments();
        List<FirmwareParameter> assigned =
                requested.stream().map(FirmwareAssignment::parameter).toList();
        List<FirmwareSetting> after = firmware.preview(requested);
        List<FirmwareSetting> changed =
                after.stream().filter(row -> assigned.contains(row.parameter())).toList();
        if (!json) {
            table.preview(changed, firmware.settings());
        }
        if (!agreed("Apply new Configuration?")) {
            return aborted();
        }
        firmware.set(requested);
        applied(changed);
        return Hca.OK;
    }

    /** Reports all invalid assignments at once. */
    private List<FirmwareAssignment> assignments() {
        List<FirmwareRefusal> refusals = new ArrayList<>();
        List<FirmwareAssignment> read = new ArrayList<>();
        for (String word : words()) {
            try {
                read.add(FirmwareAssignment.parse(word));
            } catch (FirmwareException refused) {
                refusals.addAll(refused.refusals());
            }
        }
        if (!refusals.isEmpty()) {
            throw new FirmwareException(refusals);
        }
        return read;
    }

    private int reset(Adapter adapter) {
        List<FirmwareParameter> these = parameters();
        refuseWithoutSettings(adapter);
        if (!agreed("Reset configuration for device " + device + "?")) {
            return aborted();
        }
        if (these.isEmpty()) {
            adapter.firmware().reset();
        } else {
            adapter.firmware().reset(these);
        }
        applied(adapter.firmware().settings());
        return Hca.OK;
    }

    /**
     * Checks that the device keeps settings.
     *
     * @throws FirmwareException if it keeps none
     */
    private void refuseWithoutSettings(Adapter adapter) {
        if (adapter.firmware().settings().isEmpty()) {
            throw new FirmwareException(List.of(new FirmwareRefusal.NoFirmware(device)));
        }
    }

    private void applied(List<FirmwareSetting> changed) {
        if (json) {
            out().println("{\"applied\":true}");
            return;
        }
        boolean power = changed.stream()
                .anyMatch(row -> row.pending() && row.parameter().appliesAfter() == Restart.POWER_CYCLE);
        out().println("Applying... Done!");
        out().println("-I- Please " + (power ? "power cycle" : "reboot") + " machine to load new configurations.");
    }

    private int restart(RdmaNetwork network, Adapter adapter, Restart how) throws BadInputException {
        if (!words().isEmpty()) {
            throw new BadInputException(verb + " accepts no further arguments: " + String.join(" ", words()));
        }
        refuseWithoutSettings(adapter);
        network.await(adapter.firmware().restart(how));
        if (json) {
            out().println("{\"restarted\":true}");
            return Hca.OK;
        }
        out().println("-I- " + device + " restarted.");
        adapter.firmware().settings().stream()
                .filter(FirmwareSetting::pending)
                .forEach(row -> out().println("-W- " + row.parameter() + " is " + row.show(row.current())
                        + " until a power cycle makes the next value effective"));
        return Hca.OK;
    }

    private boolean agreed(String question) {
        if (json && yes) {
            return true;
        }
        out().print("\n " + question + " (y/n) [n] : ");
        out().flush();
        if (yes) {
            out().println("y");
            return true;
        }
        String answer = answer();
        return answer.equalsIgnoreCase("y") || answer.equalsIgnoreCase("yes");
    }

    /** Reads one line and not a byte more: the rest of the input may be for another command. */
    private static String answer() {
        StringBuilder line = new StringBuilder();
        InputStream in = System.in;
        try {
            for (int next = in.read(); next >= 0 && next != '\n' && line.length() < 16; next = in.read()) {
                line.append((char) next);
            }
        } catch (IOException unreadable) {
            return "";
        }
        return line.toString().strip();
    }

    private int aborted() {
        error("Aborted by user.");
        return Hca.NOT_AS_EXPECTED;
    }

    private int printError(FirmwareException refused) {
        refused.refusals().forEach(reason -> error(reason.message() + hint(reason)));
        return refused.refusals().stream().anyMatch(Config::isBadInput) ? Hca.BAD_INPUT : Hca.NOT_AS_EXPECTED;
    }

    private static String hint(FirmwareRefusal reason) {
        return reason instanceof FirmwareRefusal.Unknown unknown
                ? DidYouMean.hint(
                        unknown.name(), Stream.of(FirmwareParameter.values()).map(Enum::name))
                : "";
    }

    /** Other refusals are the device's. */
    private static boolean isBadInput(FirmwareRefusal reason) {
        return reason instanceof FirmwareRefusal.InvalidAssignment
                || reason instanceof FirmwareRefusal.Unknown
                || reason instanceof FirmwareRefusal.InvalidValue
                || reason instanceof FirmwareRefusal.Duplicate;
    }

    private void error(String what) {
        out().flush();
        PrintWriter err = spec.commandLine().getErr();
        err.println("-E- " + Hca.oneLine(what));
        err.flush();
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
