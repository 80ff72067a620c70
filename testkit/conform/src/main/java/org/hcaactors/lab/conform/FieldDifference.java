// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

/**
 * A difference between the capture and the machine in one field.
 *
 * @param field its name: a header field, {@code payload byte 7}, {@code completion status}, {@code answer}, ...
 * @param captured value in the capture; {@code none} if it is absent
 * @param ours value of the machine; {@code none} if it is absent
 */
public record FieldDifference(String field, String captured, String ours) {
    static final String NONE = "none";

    static FieldDifference of(String field, Object captured, Object ours) {
        return new FieldDifference(field, String.valueOf(captured), String.valueOf(ours));
    }

    @Override
    public String toString() {
        return field + ": captured " + captured + ", model " + ours;
    }
}
