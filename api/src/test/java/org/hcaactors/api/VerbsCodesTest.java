// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.capability.PortCapabilities;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.api.error.VerbsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Codes equal those of verbs.h (rules completion-codes, event-codes), and matching of P_Keys. */
class VerbsCodesTest {
    private static final PortAttributes PORT = PortAttributes.of(PortCapabilities.NONE
                    .withMaxMtu(PathMtu.BYTES_4096)
                    .withGidTableLength(4)
                    .withPkeyTableLength(4))
            .withGidTable(List.of(Gid.ofIpv4(10, 0, 0, 1)))
            .withPkeyTable(List.of(0xFFFF, 0x0123));

    @Test
    void statusesAreNumberedInTheOrderOfIbvWcStatus() {
        assertThat(Status.values()).hasSize(24);
        for (Status status : Status.values()) {
            assertThat(status.code()).isEqualTo(status.ordinal());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "SEND, 0",
        "RDMA_WRITE, 1",
        "RDMA_READ, 2",
        "COMP_SWAP, 3",
        "FETCH_ADD, 4",
        "RECV, 128",
        "RECV_RDMA_WITH_IMM, 129"
    })
    void completionKindsHaveTheCodesOfIbvWcOpcode(CompletionKind kind, int code) {
        assertThat(kind.code()).isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource({
        "CQ_ERR, 0, COMPLETION_QUEUE",
        "QP_FATAL, 1, QUEUE_PAIR",
        "QP_REQ_ERR, 2, QUEUE_PAIR",
        "QP_ACCESS_ERR, 3, QUEUE_PAIR",
        "COMM_EST, 4, QUEUE_PAIR",
        "SQ_DRAINED, 5, QUEUE_PAIR",
        "DEVICE_FATAL, 8, DEVICE",
        "PORT_ACTIVE, 9, PORT",
        "PORT_ERR, 10, PORT",
        "PKEY_CHANGE, 12, PORT",
        "SRQ_ERR, 14, SHARED_RECEIVE_QUEUE",
        "SRQ_LIMIT_REACHED, 15, SHARED_RECEIVE_QUEUE",
        "QP_LAST_WQE_REACHED, 16, QUEUE_PAIR",
        "GID_CHANGE, 18, PORT",
        "DCT_KEY_VIOLATION, 32, QUEUE_PAIR",
        "DCT_ACCESS_ERR, 33, QUEUE_PAIR",
        "DCT_REQ_ERR, 34, QUEUE_PAIR"
    })
    void eventsHaveTheCodesOfIbvEventTypeAndTheirKindOfSource(
            AsyncEvent.Kind kind, int code, AsyncEvent.Source source) {
        assertThat(kind.code()).isEqualTo(code);
        assertThat(kind.source()).isEqualTo(source);
    }

    @Test
    void everyEventIsInThatTable() {
        assertThat(Arrays.stream(AsyncEvent.Kind.values()).map(AsyncEvent.Kind::code))
                .containsExactly(0, 1, 2, 3, 4, 5, 8, 9, 10, 12, 14, 15, 16, 18, 32, 33, 34);
    }

    // rule qp-pkey
    @ParameterizedTest(name = "{0} and {1}: {2}")
    @CsvSource({
        "0xFFFF, 0xFFFF, true",
        "0xFFFF, 0x7FFF, true",
        "0x7FFF, 0x7FFF, false",
        "0x8123, 0x0123, true",
        "0x8123, 0x8124, false",
        "0x8000, 0x8000, false",
        "0x0000, 0x8000, false"
    })
    void partitionKeysMatchByBaseAndOneFullMember(String a, String b, boolean match) {
        assertThat(PortAttributes.pkeysMatch(Integer.decode(a), Integer.decode(b)))
                .isEqualTo(match);
    }

    @Test
    void indicesOutOfRangeAreRefusedWithTheAllowedOnes() {
        assertThat(PORT.pkey(1)).isEqualTo(0x0123);
        assertThat(PORT.pkey(3)).isZero();
        assertThatThrownBy(() -> PORT.pkey(4))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("0 to 3");
        assertThatThrownBy(() -> PORT.pkeyIndex(5)).hasMessageContaining("[0xffff, 0x0123]");
        assertThatThrownBy(() -> PORT.gid(1)).hasMessageContaining("entries 0 to 0 of 4");
    }

    @ParameterizedTest
    @CsvSource({"224, true", "239, true", "223, false", "240, false"})
    void multicastAddressesAreKnownByTheirFirstOctet(int first, boolean multicast) {
        assertThat(Gid.ofIpv4(first, 1, 2, 3).isMulticast()).isEqualTo(multicast);
        assertThat(new Gid(0xFF0E_0000_0000_0000L, 1).isMulticast()).isTrue();
        assertThat(new Gid(0xFE80_0000_0000_0000L, 1).isMulticast()).isFalse();
    }
}
