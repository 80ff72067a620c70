// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.message;

import org.hcaactors.adapter.flow.RequestRefused;
import org.hcaactors.fabric.packet.Operation;

/** The message being received by an RC responder: after First or Middle only its own Middle or Last may follow. */
public enum IncomingMessage {
    NONE,
    SEND,
    WRITE;

    // rule rc-message-sequence
    public boolean continuesWith(Operation operation) {
        return switch (this) {
            case NONE -> operation.starts();
            case SEND -> operation.isSend() && !operation.starts();
            case WRITE -> operation.isWrite() && !operation.starts();
        };
    }

    /** Returns the refusal of an operation that does not continue the message. */
    public RequestRefused misplaced(Operation operation) {
        return new RequestRefused.OutOfPlace(
                operation,
                switch (this) {
                    case NONE -> RequestRefused.Inside.NOTHING;
                    case SEND -> RequestRefused.Inside.SEND;
                    case WRITE -> RequestRefused.Inside.WRITE;
                });
    }
}
