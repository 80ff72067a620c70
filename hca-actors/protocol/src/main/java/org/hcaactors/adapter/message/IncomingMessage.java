// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.message;

import org.hcaactors.adapter.flow.Refused;
import org.hcaactors.fabric.packet.Operation;

/** The message that is coming in at an RC responder: after First or Middle only its own Middle or Last may follow. */
public enum IncomingMessage {
    NONE,
    SEND,
    WRITE;

    // rule rc-message-sequence
    public boolean goesOnWith(Operation operation) {
        return switch (this) {
            case NONE -> operation.starts();
            case SEND -> operation.isSend() && !operation.starts();
            case WRITE -> operation.isWrite() && !operation.starts();
        };
    }

    /** How an operation stands that it does not go on with. */
    public Refused misplaced(Operation operation) {
        return new Refused.OutOfPlace(
                operation,
                switch (this) {
                    case NONE -> Refused.Inside.NOTHING;
                    case SEND -> Refused.Inside.SEND;
                    case WRITE -> Refused.Inside.WRITE;
                });
    }
}
