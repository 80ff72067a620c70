// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.plain;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.lab.junit.RdmaTest;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.world.World;

class NotebookTest {
    @RdmaTest(seeds = 5)
    void aKeptNoteIsInThePeersMemory(World world, ConnectedPair pair) {
        Notebook notebook = new Notebook(pair.a().qp(), pair.b().remote(0));
        pair.a().memory().write(0, "kept".getBytes(UTF_8));
        assertThat(world.await(notebook.keep(pair.a().slice(0, 4)))).isTrue();
        assertThat(pair.b().memory().read(0, 4)).asString(UTF_8).isEqualTo("kept");
    }
}
