// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.nodes;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Command line of a JVM that runs another program as this JVM runs its own. */
public final class ChildJvm {
    /** Arguments of debuggers, of other agents and of remote management: most of them listen at a port that this JVM has already. */
    private static final List<String> OF_ONE_JVM =
            List.of("-agentlib:", "-agentpath:", "-javaagent:", "-Xrunjdwp", "-Dcom.sun.management.");

    private ChildJvm() {}

    /**
     * Returns the command, with the class path and the JVM arguments of this JVM, apart from those of agents and remote management.
     *
     * @param main class of the program
     */
    public static List<String> command(Class<?> main, List<String> arguments) {
        return command(main, System.getProperty("java.class.path"), arguments);
    }

    /** Returns the command with another class path. */
    static List<String> command(Class<?> main, String classPath, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(inherited(ManagementFactory.getRuntimeMXBean().getInputArguments()));
        command.addAll(List.of("-cp", classPath, main.getName()));
        command.addAll(arguments);
        return List.copyOf(command);
    }

    /** Returns those of the JVM arguments that a second JVM may have, too. */
    static List<String> inherited(List<String> arguments) {
        return arguments.stream()
                .filter(argument -> OF_ONE_JVM.stream().noneMatch(argument::startsWith))
                .toList();
    }
}
