// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.MessageBuffer;
import org.hcaactors.adapter.work.PageErrand;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QpSettings;

/** What every family of requests at an RC responder needs. */
record RcAnswering(
        QpParts parts,
        RequestSequence sequence,
        RcRefusals refusals,
        ResponseQueue answers,
        ReplayRing replays,
        PageErrand pages) {
    QpSettings settings() {
        return parts.settings();
    }

    LocalMemory memory() {
        return parts.memory();
    }

    MessageBuffer buffer() {
        return parts.buffer();
    }
}
