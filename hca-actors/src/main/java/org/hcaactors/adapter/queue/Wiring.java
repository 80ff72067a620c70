// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.queue;

import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.adapter.books.Statement;
import org.hcaactors.adapter.completion.CompletionQueueHandle;
import org.hcaactors.adapter.flow.EventSink;
import org.hcaactors.adapter.inline.ProcessMemory;
import org.hcaactors.adapter.key.KeyDirectory;
import org.hcaactors.adapter.page.Pages;
import org.hcaactors.adapter.srq.SharedReceiveHandle;

/**
 * What one queue pair is connected to on its own adapter.
 *
 * @param sendCq takes its send completions
 * @param recvCq takes its receive completions
 * @param srq where its receives come from, if not from a queue of its own
 * @param memory of its process
 * @param keys finds translators
 * @param buffer the pages of its queues
 * @param events takes its asynchronous events
 */
public record Wiring(
        CompletionQueueHandle sendCq,
        CompletionQueueHandle recvCq,
        Optional<SharedReceiveHandle> srq,
        ProcessMemory memory,
        KeyDirectory keys,
        Pages buffer,
        EventSink events) {
    Statement.Queues queues() {
        OptionalInt shared = srq.map(queue -> OptionalInt.of(queue.number())).orElse(OptionalInt.empty());
        return new Statement.Queues(sendCq.number(), recvCq.number(), shared);
    }
}
