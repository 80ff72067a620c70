// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.node;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.hcaactors.lab.nodes.ChildJvm;

/** A node in a JVM of its own, which ends with its input: so it ends when this JVM does. One thread. */
final class ChildNode implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LONGEST_END = Duration.ofSeconds(60);

    private final String name;
    private final Process process;
    private final BufferedReader output;

    private ChildNode(String name, Process process) {
        this.name = name;
        this.process = process;
        output = process.inputReader();
    }

    /**
     * Starts it.
     *
     * @param main class of the hca command
     * @param arguments of {@code hca node --json}
     */
    static ChildNode start(String name, Class<?> main, List<String> arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("node", "--json", "--name", name, "--until-input-ends"));
        all.addAll(arguments);
        return new ChildNode(
                name,
                new ProcessBuilder(ChildJvm.command(main, all))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start());
    }

    String name() {
        return name;
    }

    /**
     * Waits for the next of its events with one of these names.
     *
     * @throws NodeException if it ends before
     */
    JsonNode next(List<String> events) throws NodeException {
        try {
            Optional<String> line = Optional.ofNullable(output.readLine());
            while (line.isPresent()) {
                JsonNode event = JSON.readTree(line.get());
                if (events.contains(event.path("event").asText())) {
                    return event;
                }
                line = Optional.ofNullable(output.readLine());
            }
        } catch (JsonProcessingException other) {
            throw new NodeException(name + " printed something else than JSON: " + other.getOriginalMessage());
        } catch (IOException broken) {
            throw new NodeException(name + ": " + broken.getMessage());
        }
        throw new NodeException(name + " has ended");
    }

    /** Asks it to end; {@link #close} waits for that. */
    void end() {
        try {
            process.getOutputStream().close();
        } catch (IOException ended) {
            // It has no input any more.
        }
    }

    @Override
    public void close() {
        end();
        try {
            if (!process.waitFor(LONGEST_END.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
