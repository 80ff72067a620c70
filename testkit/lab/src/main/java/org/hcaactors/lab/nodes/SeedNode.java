// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.nodes;

/** JVM that runs seeds of this JVM's tests. */
sealed interface SeedNode extends AutoCloseable permits NodeJvm, JoinedJvm {
    String name();

    SeedLink link();

    /** Returns how it ended, which it has or soon will. */
    String end();

    /** Ends its work. */
    @Override
    void close();
}
