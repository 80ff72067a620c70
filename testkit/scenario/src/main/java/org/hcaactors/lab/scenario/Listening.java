// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.time.Duration;
import java.util.Optional;

/**
 * A program that listens at a port of an adapter.
 *
 * @param backlog requests that may wait for its decision
 * @param answersAt when it begins to decide; requests that arrived before wait until then
 * @param closedAt when it stops listening; empty for never
 */
public record Listening(
        String adapter,
        int port,
        int backlog,
        Answer answer,
        Duration at,
        Duration answersAt,
        Optional<Duration> closedAt) {
    /** Decision on a request. */
    public enum Answer {
        ACCEPT,
        REJECT,
        /** None: the request waits until its peer gives up. */
        IGNORE
    }
}
