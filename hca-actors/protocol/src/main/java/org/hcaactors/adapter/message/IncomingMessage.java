// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.message;

import org.hcaactors.adapter.flow.RequestRefused;
import org.hcaactors.fabric.packet.Operation;

/** The message that is coming in at an RC responder: after First or Middle only its own Middle or Last may follow. */
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

    /** How an operation stands that it does not go on with. */
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
