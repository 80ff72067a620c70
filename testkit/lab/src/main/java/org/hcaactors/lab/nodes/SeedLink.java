// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.nodes;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The two directions between a JVM of tests and one that runs seeds for it: pipes or a TCP connection. */
record SeedLink(DataOutputStream out, DataInputStream in) {
    static SeedLink of(OutputStream out, InputStream in) {
        return new SeedLink(
                new DataOutputStream(new BufferedOutputStream(out)), new DataInputStream(new BufferedInputStream(in)));
    }

    /** Sends the system properties of this JVM whose names begin with {@code prefix}. */
    void sendProperties(String prefix) throws IOException {
        Properties all = System.getProperties();
        SeedWire.write(
                all.stringPropertyNames().stream()
                        .filter(name -> name.startsWith(prefix))
                        .collect(Collectors.toMap(name -> name, all::getProperty)),
                out);
    }

    /** Lets the JVM at the other end run seeds; throws IOException if it ends before. Blocks. */
    void run(SeedWire.Piece piece, Consumer<SeedWire.Answer> answers) throws IOException {
        SeedWire.write(piece, out);
        for (SeedWire.Answer answer = SeedWire.answer(in);
                !(answer instanceof SeedWire.Answer.Done);
                answer = SeedWire.answer(in)) {
            answers.accept(answer);
        }
    }
}
