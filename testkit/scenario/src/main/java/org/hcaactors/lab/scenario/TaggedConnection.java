// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.client.messages.TagEndpointDescription;

/**
 * Two endpoints that send each other messages with tags, over a reliable connection.
 *
 * @param first where messages come from, and {@code second} where they are received, unless it is said otherwise
 * @param endpoint what either is like
 */
public record TaggedConnection(
        String name, String first, String second, RcConnection attributes, TagEndpointDescription endpoint) {}
