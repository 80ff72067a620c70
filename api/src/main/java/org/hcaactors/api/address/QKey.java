// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.address;

/**
 * A Q_Key: key of datagrams (IBA 3.5.3). A receiver accepts those that carry its own.
 *
 * <p>Immutable.
 *
 * @param value 32 bits. In a work request, a value with the highest bit set stands for the Q_Key of the sending queue pair
 */
public record QKey(int value) {
    public static QKey of(int value) {
        return new QKey(value);
    }

    @Override
    public String toString() {
        return "Q_Key 0x%08x".formatted(value);
    }
}
