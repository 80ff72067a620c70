// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.assertion;

import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.views.flow.TraceRecorder;

/** Entry point of the assertions: {@code assertThat(world.trace()).retransmissions().hasSize(1)}. */
public final class RdmaAssertions {
    private RdmaAssertions() {}

    public static TraceAssert assertThat(TraceRecorder trace) {
        return new TraceAssert(trace);
    }

    public static CompletionAssert assertThat(WorkCompletion completion) {
        return new CompletionAssert(completion);
    }

    public static MemoryAssert assertThat(HostMemory memory) {
        return new MemoryAssert(memory);
    }
}
