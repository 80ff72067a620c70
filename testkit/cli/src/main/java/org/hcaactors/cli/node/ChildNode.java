// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.node;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.hcaactors.lab.nodes.ChildJvm;

/** A node in a JVM of its own, which ends with its input: so it ends when this JVM does. One thread. */
public final class ChildNode implements AutoCloseable {
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
     * @param arguments of it, with which it prints objects and ends with its input
     */
    public static ChildNode start(String name, Class<?> main, List<String> arguments) throws IOException {
        return new ChildNode(
                name,
                new ProcessBuilder(ChildJvm.command(main, arguments))
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
    public JsonNode next(List<String> events) throws NodeException {
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

    /**
     * Sends it a line.
     *
     * @throws NodeException if it has ended
     */
    public void send(String line) throws NodeException {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException ended) {
            throw new NodeException(name + " has ended");
        }
    }

    /** Asks it to end; {@link #close} waits for that. */
    public void end() {
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
