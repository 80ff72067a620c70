// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hcaactors.api.error.Errno;
import org.hcaactors.cli.exec.FreeAddresses;
import org.hcaactors.cli.exec.ProgramRun;
import org.hcaactors.cli.exec.VerbsLibrary;
import org.hcaactors.cli.exec.VerbsProgram;
import org.hcaactors.cli.exec.VerbsSettings;
import org.hcaactors.lab.fault.Condition;
import org.hcaactors.lab.fault.Fault;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.fault.PacketFaults;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "exec",
        description = {
            "Runs programs that use libibverbs, unmodified, each with a modelled adapter: hca exec -- PROGRAM ARGUMENTS.",
            "With --pair it runs two or more, each with an adapter of its own, such as hca exec --pair 'ib_write_bw'"
                    + " 'ib_write_bw 127.0.0.1'. Each is a command of the shell, and its output has its name before it: a, b and so"
                    + " on. The next one starts when the one before listens at a TCP port, at the latest after --wait.",
            "The adapters are at 127.0.0.2, 127.0.0.3 and so on, or the next free addresses, and send RoCEv2 to each other over"
                    + " UDP.",
            "After the first program that failed, the others have " + ProgramRun.SECONDS_AFTER_FAILURE
                    + " s. The exit status is that of this program, 124 if the time was over, and 1 if all ended well but a fault"
                    + " of --faults or --refuse never struck."
        },
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class Exec implements Callable<Integer> {
    private static final int MAX_PROGRAMS = 16;
    private static final int LAST_ADDRESS = 254;
    private static final int MAX_SLOWER = 1000;
    private static final Pattern REFUSAL = Pattern.compile("(\\w+):[1-9]\\d{0,8}:(\\w+)");

    /** Exit status of a run that proves nothing about a fault. */
    private static final int UNSTRUCK = 1;

    @Option(
            names = "--pair",
            description =
                    "each argument is a program with its arguments, in quotes; 2 to " + MAX_PROGRAMS + " are allowed")
    private boolean pair;

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            defaultValue = "connectx-6",
            description = "profile of the adapters, such as connectx-5 or soft-roce (default: connectx-6)")
    private String profile;

    @Option(
            names = "--address",
            paramLabel = "IP",
            converter = IpOption.class,
            description =
                    "address of the first adapter, in 127.0.0.0/8; those of the others follow (default: the first free"
                            + " one from 127.0.0.2 on)")
    private @Nullable InetAddress chosen;

    @Option(
            names = "--faults",
            paramLabel = "FILE",
            description = "disturb packets between the adapters: a fault plan as in a scenario, such as"
                    + " faults = [ { drop { from = a, probability = 0.01 } } ]. The adapters are a, b and so on")
    private @Nullable Path faults;

    @Option(
            names = "--refuse",
            paramLabel = "FUNCTION:NUMBER:ERRNO",
            description =
                    "let that call of each process fail, repeatable, such as ibv_create_cq:3:ENOMEM: the third one"
                            + " returns NULL, with ENOMEM")
    private @Nullable List<String> refused;

    @Option(
            names = "--allow-unstruck",
            description = "let the run succeed although a fault of --faults or --refuse never struck")
    private boolean allowsUnstruck;

    @Option(names = "--explain", description = "let each refused call say why, on standard error")
    private boolean explains;

    @Option(
            names = "--seed",
            defaultValue = "0",
            description = "seed of the random numbers of faults and adapters (default: 0)")
    @AllowedRange
    private long seed;

    @Option(
            names = "--slower",
            paramLabel = "N",
            defaultValue = "8",
            description = "the clock of the protocol is so many times slower than that of the machine, so that a busy"
                    + " machine causes no timeouts (default: 8)")
    @AllowedRange(min = 1, max = MAX_SLOWER)
    private int slower;

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description =
                    "write the recorded run of each process, also of one that crashes or is killed, and one of all of"
                            + " them with its ladder, report and capture, into this folder")
    private @Nullable Path report;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = TimeSpan.class,
            description = "with --pair: start the next program after that time, if the one before does not listen"
                    + " (default: 10s)")
    private Duration patience;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "10m",
            converter = TimeSpan.class,
            description = "end what still runs after that time (default: 10m)")
    private Duration longest;

    @Parameters(paramLabel = "PROGRAM", arity = "1..*", description = "the program with its arguments, after --")
    private List<String> words;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BadInputException, InterruptedException {
        List<String> refusals = refused == null ? List.of() : refused;
        check(refusals);
        VerbsLibrary library = VerbsLibrary.find(System.getenv())
                .orElseThrow(() -> new BadInputException(VerbsLibrary.HOME
                        + " names no folder of the verbs library; testkit/hca exec builds and names it"));
        checkFunctions(refusals, library);
        boolean keeps = report != null;
        ExecReport written = ExecReport.into(report, keeps || faults != null || refused != null);
        VerbsSettings settings = new VerbsSettings(
                ModelOptions.named(profile).name(),
                seed,
                slower,
                Optional.ofNullable(faults),
                refusals,
                written.folder(),
                explains);
        ProgramRun run = new ProgramRun(library, settings);
        try (Interruption interruption = Interruption.calling(run::stop)) {
            ProgramRun.Result result = run(run);
            PrintWriter err = spec.commandLine().getErr();
            result.words().forEach(each -> err.println("hca: " + each));
            List<String> unstruck = written.finish(
                            keeps, result.ends(), spec.commandLine().getOut(), err)
                    .unstruck(refusals);
            unstruck.forEach(each -> err.println("hca: " + each + " never struck"));
            boolean proves = unstruck.isEmpty() || allowsUnstruck || result.status() != 0;
            return interruption.reported(proves ? result.status() : UNSTRUCK);
        }
    }

    private ProgramRun.Result run(ProgramRun run) throws BadInputException, InterruptedException {
        List<VerbsProgram> programs = programs();
        try {
            return pair
                    ? run.together(
                            programs,
                            patience,
                            longest,
                            spec.commandLine().getOut(),
                            spec.commandLine().getErr())
                    : run.alone(programs.getFirst(), longest);
        } catch (IOException refusal) {
            throw new BadInputException(String.valueOf(refusal.getMessage()));
        }
    }

    private static void checkFaults(FaultPlan plan) {
        for (Fault each : plan.faults()) {
            if (!(each instanceof Fault.OnPackets)) {
                throw new IllegalArgumentException(
                        "\"" + each.words() + "\" is no fault on packets; hca exec has drop, delay,"
                                + " duplicate, reorder, corrupt and forge, and --refuse for verbs");
            }
        }
        new PacketFaults(plan, 0);
    }

    private void checkNames(Path file, FaultPlan plan) throws BadInputException {
        List<String> names = IntStream.range(0, count()).mapToObj(Exec::name).toList();
        Optional<String> unknown = plan.faults().stream()
                .filter(Fault.OnPackets.class::isInstance)
                .flatMap(fault -> ((Fault.OnPackets) fault).match().conditions().stream())
                .flatMap(condition -> switch (condition) {
                    case Condition.From from -> Stream.of(from.adapter());
                    case Condition.To to -> Stream.of(to.adapter());
                    default -> Stream.<String>empty();
                })
                .filter(name -> !names.contains(name))
                .findFirst();
        if (unknown.isPresent()) {
            throw new BadInputException(
                    file + ": there is no program " + unknown.get() + "; the programs are " + String.join(", ", names));
        }
    }

    /** Returns the name of a program of a pair. */
    private static String name(int index) {
        return String.valueOf((char) ('a' + index));
    }

    private int count() {
        return pair ? words.size() : 1;
    }

    private InetAddress address() throws BadInputException {
        return chosen != null
                ? chosen
                : FreeAddresses.first(count())
                        .orElseThrow(() -> new BadInputException("no " + count()
                                + " addresses of 127.0.0.0/24 that follow each other have a free UDP port 4791; --address"
                                + " names others of 127.0.0.0/8"));
    }

    private void check(List<String> refusals) throws BadInputException {
        Checks check = new Checks(spec);
        check.that(
                !pair || count() >= 2 && count() <= MAX_PROGRAMS,
                "--pair has " + count() + (count() == 1 ? " program" : " programs") + "; 2 to " + MAX_PROGRAMS
                        + " are allowed");
        if (chosen != null) {
            checkAddress(check, chosen);
        }
        refusals.forEach(each -> checkRefusal(check, each));
        if (faults != null) {
            checkPlan(faults);
        }
    }

    private void checkAddress(Checks check, InetAddress address) {
        byte[] first = address.getAddress();
        int last = Byte.toUnsignedInt(first[first.length - 1]) + count() - 1;
        check.that(
                first.length == 4 && address.isLoopbackAddress() && last <= LAST_ADDRESS,
                "--address is " + address.getHostAddress() + "; an address of 127.0.0.0/8 is allowed whose last part is"
                        + " at most " + (LAST_ADDRESS - count() + 1));
    }

    private static void checkRefusal(Checks check, String refusal) {
        Matcher parts = REFUSAL.matcher(refusal);
        check.that(
                parts.matches(),
                "--refuse is " + refusal + "; FUNCTION:NUMBER:ERRNO is required, such as ibv_create_cq:3:ENOMEM");
        check.that(
                Arrays.stream(Errno.values()).anyMatch(errno -> errno.name().equals(parts.group(2))),
                "--refuse is " + refusal + "; the errnos of verbs are "
                        + Arrays.stream(Errno.values()).map(Errno::name).collect(Collectors.joining(", ")));
    }

    private void checkFunctions(List<String> refusals, VerbsLibrary library) throws BadInputException {
        try {
            List<String> functions = library.refusable();
            for (String each : refusals) {
                new Checks(spec)
                        .that(
                                functions.contains(each.replaceFirst(":.*", "")),
                                "--refuse is " + each + "; the functions that can be refused are "
                                        + String.join(", ", functions)
                                        + ", those of extended objects by the plain names");
            }
        } catch (IOException unreadable) {
            throw BadInputException.unreadable(library.folder(), unreadable);
        }
    }

    /** The library reads the plan again; here it is refused before a program starts. */
    private void checkPlan(Path file) throws BadInputException {
        BadInputException.unlessReadable(file);
        try {
            FaultPlan plan = FaultPlan.parse(Files.readString(file));
            checkFaults(plan);
            if (pair) {
                checkNames(file, plan);
            }
        } catch (IllegalArgumentException refusal) {
            throw new BadInputException(file + ": " + refusal.getMessage());
        } catch (CharacterCodingException binary) {
            throw new BadInputException(file + ": is not a text in UTF-8");
        } catch (IOException unreadable) {
            throw BadInputException.unreadable(file, unreadable);
        }
    }

    private List<VerbsProgram> programs() throws BadInputException {
        InetAddress address = address();
        if (!pair) {
            return List.of(new VerbsProgram("a", address.getHostAddress(), words));
        }
        List<VerbsProgram> programs = new ArrayList<>();
        for (String each : words) {
            int index = programs.size();
            programs.add(new VerbsProgram(
                    name(index), FreeAddresses.following(address, index).getHostAddress(), List.of("sh", "-c", each)));
        }
        return List.copyOf(programs);
    }
}
