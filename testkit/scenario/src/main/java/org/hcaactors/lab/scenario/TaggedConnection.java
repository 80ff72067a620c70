// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.client.messages.TagEndpointDescription;

/**
 * Two endpoints that exchange tagged messages over a reliable connection.
 *
 * @param first default sender of messages; {@code second} is their default receiver
 * @param endpoint description of each endpoint
 */
public record TaggedConnection(
        String name, String first, String second, RcConnection attributes, TagEndpointDescription endpoint) {}
