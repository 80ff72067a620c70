// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.List;

/**
 * A difference between the machine and the capture without a known reason.
 *
 * @param frame in the capture, from 1; 0 if it belongs to no frame
 * @param captured what the capture contains, as text
 * @param ours what the machine did instead
 * @param fields fields that differ, at least one
 */
public record Mismatch(int frame, String captured, String ours, List<FieldDifference> fields) {
    public Mismatch {
        fields = List.copyOf(fields);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(frame == 0 ? "" : "frame " + frame + ": ")
                .append("captured ")
                .append(captured)
                .append("; model: ")
                .append(ours);
        for (FieldDifference field : fields) {
            text.append("; ")
                    .append(field.field())
                    .append(' ')
                    .append(field.captured())
                    .append(" instead of ")
                    .append(field.ours());
        }
        return text.toString();
    }
}
