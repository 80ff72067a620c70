// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.nodes;

import java.io.IOException;
import java.util.function.Consumer;

/** JVM that runs seeds of this JVM's tests. */
sealed interface SeedNode extends AutoCloseable permits NodeJvm, JoinedJvm {
    String name();

    /** Runs seeds; throws IOException if the JVM ends before. Blocks. */
    void run(SeedWire.Piece piece, Consumer<SeedWire.Answer> answers) throws IOException;

    /** Returns how it ended, which it has or soon will. */
    String end();

    /** Ends its work. */
    @Override
    void close();
}
