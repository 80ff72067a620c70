// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

/**
 * One thing in which what was captured and what our machine did are not the same.
 *
 * @param field its name: a header field, {@code payload byte 7}, {@code completion status}, {@code answer}, ...
 * @param captured its value there; {@code none} if there is no such thing
 * @param ours its value here; {@code none} if there is no such thing
 */
public record FieldDifference(String field, String captured, String ours) {
    static final String NONE = "none";

    static FieldDifference of(String field, Object captured, Object ours) {
        return new FieldDifference(field, String.valueOf(captured), String.valueOf(ours));
    }

    @Override
    public String toString() {
        return field + ": captured " + captured + ", ours " + ours;
    }
}
