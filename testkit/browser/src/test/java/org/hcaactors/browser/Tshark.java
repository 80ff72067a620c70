// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Reads captures with tshark. */
final class Tshark {
    /** Protocols that tshark guesses from payloads; none of them is in our traffic. */
    private static final List<String> GUESSES = List.of(
            "smc", "smb_direct", "rpcordma", "nvme-rdma", "lnet", "iser", "infiniband.eoib", "infiniband_sdp", "fcoib");

    private Tshark() {}

    /** Returns these fields' values of each frame, empty if it has none. */
    static List<List<String>> read(Path capture, List<String> fields) {
        List<String> command = new ArrayList<>(
                List.of(Program.TSHARK.path().toString(), "-n", "-r", capture.toString(), "-T", "fields"));
        GUESSES.forEach(guess -> command.addAll(List.of("--disable-protocol", guess)));
        fields.forEach(field -> command.addAll(List.of("-e", field)));
        return run(command).lines().map(line -> List.of(line.split("\t", -1))).toList();
    }

    private static String run(List<String> command) {
        try {
            Path complaints = Files.createTempFile("tshark", ".txt");
            Process process = new ProcessBuilder(command)
                    .redirectError(complaints.toFile())
                    .start();
            String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(10, TimeUnit.SECONDS))
                    .as("tshark has ended, as its output has")
                    .isTrue();
            assertThat(process.exitValue())
                    .as(() -> "tshark: " + read(complaints))
                    .isZero();
            Files.delete(complaints);
            return told;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
