// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.node;

/** A node cannot start, or a program on it cannot go on; the message says why in one line. */
public final class NodeException extends Exception {
    private static final long serialVersionUID = 1L;

    public NodeException(String message) {
        super(message);
    }
}
