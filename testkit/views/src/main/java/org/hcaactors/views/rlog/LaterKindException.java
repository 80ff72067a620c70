// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonMappingException;

/** A part of an event is of a kind that only a later version has. */
final class LaterKindException extends JsonMappingException {
    private static final long serialVersionUID = 1L;

    LaterKindException(JsonParser in, String what) {
        super(in, what);
    }
}
