// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.capability.PortCapabilities;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Datagram;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.completion.WorkCompletion.Details;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.api.error.VerbsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Codes equal those of verbs.h (rules completion-codes, completion-flags, event-codes), and matching of P_Keys. */
class VerbsCodesTest {
    private static final PortAttributes PORT = PortAttributes.of(PortCapabilities.NONE
                    .withMaxMtu(PathMtu.BYTES_4096)
                    .withGidTableLength(4)
                    .withPkeyTableLength(4))
            .withGidTable(List.of(Gid.ofIpv4(10, 0, 0, 1)))
            .withPkeyTable(List.of(0xFFFF, 0x0123));

    // rule completion-codes
    @ParameterizedTest
    @CsvSource({
        "SUCCESS, 0",
        "LOC_LEN_ERR, 1",
        "LOC_QP_OP_ERR, 2",
        "LOC_EEC_OP_ERR, 3",
        "LOC_PROT_ERR, 4",
        "WR_FLUSH_ERR, 5",
        "MW_BIND_ERR, 6",
        "BAD_RESP_ERR, 7",
        "LOC_ACCESS_ERR, 8",
        "REM_INV_REQ_ERR, 9",
        "REM_ACCESS_ERR, 10",
        "REM_OP_ERR, 11",
        "RETRY_EXC_ERR, 12",
        "RNR_RETRY_EXC_ERR, 13",
        "LOC_RDD_VIOL_ERR, 14",
        "REM_INV_RD_REQ_ERR, 15",
        "REM_ABORT_ERR, 16",
        "INV_EECN_ERR, 17",
        "INV_EEC_STATE_ERR, 18",
        "FATAL_ERR, 19",
        "RESP_TIMEOUT_ERR, 20",
        "GENERAL_ERR, 21",
        "TM_ERR, 22",
        "TM_RNDV_INCOMPLETE, 23"
    })
    void statusesHaveTheCodesOfIbvWcStatus(Status status, int code) {
        assertThat(status.code()).isEqualTo(code);
    }

    // rule completion-codes
    @ParameterizedTest
    @CsvSource({
        "SEND, 0",
        "RDMA_WRITE, 1",
        "RDMA_READ, 2",
        "COMP_SWAP, 3",
        "FETCH_ADD, 4",
        "BIND_MW, 5",
        "LOCAL_INV, 6",
        "MASKED_COMP_SWAP, 9",
        "MASKED_FETCH_ADD, 10",
        "RECV, 128",
        "RECV_RDMA_WITH_IMM, 129",
        "TM_ADD, 130",
        "TM_DEL, 131",
        "TM_SYNC, 132",
        "TM_RECV, 133",
        "TM_NO_TAG, 134",
        "UMR, 135"
    })
    void completionKindsHaveTheCodesOfIbvWcOpcode(CompletionKind kind, int code) {
        assertThat(kind.code()).isEqualTo(code);
    }

    @Test
    void everyStatusAndKindIsInThoseTables() {
        assertThat(Status.values()).hasSize(24);
        assertThat(Arrays.stream(CompletionKind.values()).map(CompletionKind::code))
                .containsExactly(0, 1, 2, 3, 4, 5, 6, 9, 10, 128, 129, 130, 131, 132, 133, 134, 135);
    }

    // rule completion-flags
    @Test
    void completionsHaveTheFlagsOfIbvWcFlags() {
        Details none = Details.NONE;
        Datagram datagram = Datagram.from(7);
        TagInfo matched = TagInfo.match(new TagInfo.Info(1, 2));
        assertThat(flags(none)).isZero();
        assertThat(flags(none.withVendorError(5).withTimestampTicks(6))).isZero();
        assertThat(flags(none.with(datagram))).isEqualTo(1);
        assertThat(flags(none.with(datagram.withGlobalRoute(false)))).isZero();
        assertThat(flags(Details.of(OptionalInt.of(0)))).isEqualTo(2);
        assertThat(flags(Details.of(OptionalInt.of(9)).with(datagram))).isEqualTo(3);
        assertThat(flags(none.withInvalidated(0))).isEqualTo(8);
        assertThat(flags(none.with(TagInfo.NONE.withSyncRequested(true)))).isEqualTo(16);
        assertThat(flags(none.with(matched))).isEqualTo(32);
        assertThat(flags(none.with(TagInfo.DATA))).isEqualTo(64);
        assertThat(flags(none.with(TagInfo.NONE))).isZero();
    }

    private static int flags(Details details) {
        return new WorkCompletion(1, Status.SUCCESS, CompletionKind.RECV, 3, 0, details).flags();
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
