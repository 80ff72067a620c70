// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Descriptions of regions. */
class RegistrationTest {
    private record Bytes(long lengthBytes) implements HostMemory {
        @Override
        public long address() {
            return 4096;
        }

        @Override
        public long busAddress() {
            return 4096;
        }

        @Override
        public boolean isMapped() {
            return true;
        }

        @Override
        public byte[] read(long offset, int bytes) {
            return new byte[bytes];
        }

        @Override
        public void write(long offset, byte[] bytes) {}

        @Override
        public long readLong(long offset) {
            return 0;
        }

        @Override
        public void writeLong(long offset, long value) {}

        @Override
        public String describe() {
            return "memory";
        }

        @Override
        public CompletionStage<Void> closeAsync() {
            return CompletableFuture.completedStage(null);
        }

        @Override
        public void close() {}
    }

    /** The bits of ibv_access_flags; LOCAL_AND_REMOTE has exactly these four rights, also after rights are added. */
    @Test
    void localAndRemoteHasExactlyFourRights() {
        assertThat(AccessFlags.LOCAL_AND_REMOTE.bits()).isEqualTo(0xF);
        assertThat(AccessFlags.LOCAL_AND_REMOTE.isConsistentForRegistration()).isTrue();
    }

    @Test
    void rightsAreWithinOthersIfEachIsAmongThem() {
        AccessFlags two = AccessFlags.of(Access.LOCAL_WRITE, Access.REMOTE_READ);
        assertThat(two.isWithin(AccessFlags.LOCAL_AND_REMOTE)).isTrue();
        assertThat(AccessFlags.NONE.isWithin(AccessFlags.NONE)).isTrue();
        assertThat(two.isWithin(AccessFlags.of(Access.LOCAL_WRITE, Access.MW_BIND)))
                .isFalse();
    }

    @Test
    void memoryIsDescribedAsAWholeWithNoRightButLocalRead() {
        Registration whole = Registration.of(new Bytes(100));
        assertThat(whole.source()).isEqualTo(new Registration.Source.Mapped(new Bytes(100), 0, 100));
        assertThat(whole.lengthBytes()).isEqualTo(100);
        assertThat(whole.access()).isEqualTo(AccessFlags.NONE);
    }

    @Test
    void aDerivedDescriptionLeavesTheOriginalUnchanged() {
        Registration whole = Registration.of(new Bytes(100)).withAccess(Access.REMOTE_READ);
        Registration part = whole.withRange(10, 20).withAccess(Access.LOCAL_WRITE);
        assertThat(whole).hasToString("100 bytes at offset 0 of memory, [REMOTE_READ]");
        assertThat(part).hasToString("20 bytes at offset 10 of memory, [LOCAL_WRITE]");
    }
}
