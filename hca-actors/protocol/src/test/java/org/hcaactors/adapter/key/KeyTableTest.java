// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class KeyTableTest {
    private static final int FIRST = 0x200;

    private final KeyTable<String> table = new KeyTable<>(FIRST);

    @Test
    void aRegisteredObjectIsFoundByItsKey() {
        int key = table.register("behind %08x"::formatted);
        assertThat(key).isEqualTo(FIRST);
        assertThat(table.find(key)).contains("behind 00000200");
        assertThat(table.find(key + 0x100)).isEmpty();
        assertThat(table.indices()).containsExactly(key >>> 8);
    }

    @Test
    void anObjectIsFoundByEveryVariantOfItsKey() {
        int key = table.register(number -> "window");
        assertThat(table.find(key + 1)).contains("window");
    }

    @Test
    void aRemovedKeyIsNotFoundAndIsFreedOnce() {
        int key = table.register(number -> "region");
        int other = table.register(number -> "another");
        assertThat(table.remove(key)).contains("region");
        assertThat(table.find(key)).isEmpty();
        assertThat(table.remove(key)).isEmpty();
        assertThat(table.indices()).containsExactly(other >>> 8);
        assertThat(table.inUse()).isEqualTo(1);
    }

    @Test
    void aKeyIsFreedIfItsObjectCantBeCreated() {
        assertThatThrownBy(() -> table.register(number -> {
                    throw new IllegalStateException("no more");
                }))
                .hasMessage("no more");
        assertThat(table.inUse()).isZero();
        assertThat(table.indices()).isEmpty();
    }
}
