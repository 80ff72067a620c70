// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ChildJvmTest {
    @Test
    void agentsAndRemoteManagementAreNotInherited() {
        assertThat(ChildJvm.inherited(List.of(
                        "-Xmx1g",
                        "-agentlib:jdwp=transport=dt_socket,server=y,address=5005",
                        "-javaagent:jacoco.jar",
                        "-Dcom.sun.management.jmxremote.port=9010",
                        "-Dhca.terminal=true")))
                .containsExactly("-Xmx1g", "-Dhca.terminal=true");
    }

    @Test
    void theCommandEndsWithTheClassAndItsArguments() {
        assertThat(ChildJvm.command(ChildJvmTest.class, List.of("node", "--json")))
                .containsSubsequence("-cp", System.getProperty("java.class.path"))
                .endsWith(ChildJvmTest.class.getName(), "node", "--json");
    }
}
