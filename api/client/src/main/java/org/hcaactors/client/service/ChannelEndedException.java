// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

/**
 * A message was not sent before its channel ended, or the peer may or may not have it; the text says which.
 *
 * <p>Threads: any. Limits: none.
 */
public final class ChannelEndedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ChannelEndedException(String what) {
        super(what);
    }
}
