// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.time.Duration;
import java.util.Optional;
import org.hcaactors.lab.scenario.Scenario.Line;

/**
 * A connection that communication management makes; its first end asks the second.
 *
 * @param line the connection; it is opened when the first end asks
 * @param port where the second end listens
 * @param close its orderly end; empty for none
 */
public record Connecting(Line line, int port, Optional<Close> close) {
    /** @param bySecond true if the second end disconnects */
    public record Close(Duration at, boolean bySecond) {}
}
