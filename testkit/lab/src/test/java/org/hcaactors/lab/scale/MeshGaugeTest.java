// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scale;

import org.hcaactors.api.device.Profile;
import org.junit.jupiter.api.Test;

class MeshGaugeTest {
    @Test
    void proto() {
        for (String name : new String[] {"rc", "xrc"}) {
            Scheme s = Schemes.named(name).orElseThrow();
            MeshGauge g = new MeshGauge(Profile.CONNECTX_5, System::nanoTime, n -> {});
            long t = System.nanoTime();
            for (Row r : new Comparison(java.util.List.of(2, 4, 8, 16, 41, 1024), 8, Long.getLong("most", 20000)).rows(s, g)) {
                System.err.println(r + " each " + r.by().bytesEach() + " node " + r.heapBytesOfNode()+" t "+(System.nanoTime()-t)/1e9);
            }
        }
    }
}
