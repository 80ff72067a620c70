// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.io.IOException;

/** A peer does something that the tool's protocol does not have, or nothing; the message says what, in one line. */
public final class PeerException extends IOException {
    private static final long serialVersionUID = 1;

    PeerException(String message) {
        super(message);
    }
}
