// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.export;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.rlog.RlogReader;

/** A recorded run in which a bit of everything goes wrong. */
public final class RecordedMishaps {
    private RecordedMishaps() {}

    public static List<TraceEvent> events() throws IOException {
        return RlogReader.read(Path.of("src/test/resources/recorded/mishaps-2.rlog"))
                .events();
    }
}
