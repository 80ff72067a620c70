// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of the DC transport, and the transitions of its convenience methods. */
class DcValuesTest {
    private static final Gid HERE = Gid.ofIpv4(10, 0, 0, 1);
    private static final RcConnection TERMS = RcConnection.DEFAULT
            .withMtu(PathMtu.BYTES_4096)
            .withRdAtomic(5)
            .withTimeoutCode(6)
            .withRetryCount(1)
            .withRnrRetry(2)
            .withMinRnrTimerCode(9)
            .withSendPsn(77);

    private final List<QpModify> asked = new ArrayList<>();

    @Test
    void aTargetsNumberHas24BitsAndItsKey64() {
        DcAddress far = DcAddress.of(standIn(AddressHandle.class), 0xFF_FFFF, DcAccessKey.of(-1L));
        assertThat(far.dctNumber()).isEqualTo(0xFF_FFFF);
        assertThat(far.accessKey().value()).isEqualTo(0xFFFF_FFFF_FFFF_FFFFL);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0x100_0000})
    void aTargetNumberAbove24BitsIsRefused(int number) {
        assertThatThrownBy(() -> DcAddress.of(standIn(AddressHandle.class), number, DcAccessKey.of(0)))
                .isInstanceOf(VerbsException.class)
                .hasMessage("EINVAL: the DC target number is " + number + "; 0 to 0xffffff is allowed");
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 1, 1", "5, 3, 32, 8", "16, 16, 65536, 65536"})
    void streamsAreGivenByTheirLogarithm(int logChannels, int logErrored, int channels, int errored) {
        DcStreams streams = new DcStreams(logChannels, logErrored);
        assertThat(streams.channels()).isEqualTo(channels);
        assertThat(streams.errored()).isEqualTo(errored);
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 0, the number of channels is 2^-1",
        "17, 0, the number of channels is 2^17",
        "0, -1, the number of streams in error is 2^-1",
        "0, 17, the number of streams in error is 2^17"
    })
    void moreStreamsThanCanBeNamedAreRefused(int logChannels, int logErrored, String told) {
        assertThatThrownBy(() -> new DcStreams(logChannels, logErrored))
                .isInstanceOf(VerbsException.class)
                .hasMessage("EINVAL: " + told + "; 2^0 to 2^16 is allowed");
    }

    @Test
    void aTargetsDescriptionListsItsDifferencesFromTheDefault() {
        DcTargetDescription plain = DcTargetDescription.of(
                standIn(CompletionQueue.class), standIn(SharedReceiveQueue.class), DcAccessKey.of(0xCAFE));
        assertThat(plain)
                .hasToString("DC target, access key 0x000000000000cafe, receives from SharedReceiveQueue, "
                        + "completing on CompletionQueue");
        assertThat(plain.maxResponders()).isEmpty();
        assertThat(plain.reservedResponders()).isZero();
        assertThat(plain.fullHandshake()).isFalse();
        DcTargetDescription careful =
                plain.withReservedResponders(2).withMaxResponders(3).withFullHandshake();
        assertThat(careful.maxResponders()).hasValue(3);
        assertThat(careful.reservedResponders()).isEqualTo(2);
        assertThat(careful.fullHandshake()).isTrue();
        assertThat(careful.accessKey().value()).isEqualTo(0xCAFE);
        assertThat(careful.toString()).endsWith(", at most 3 responders, reserving 2, with full handshake");
    }

    @Test
    void aTargetThatReservesMoreRespondersThanItHasIsRefused() {
        DcTargetDescription three = DcTargetDescription.of(
                        standIn(CompletionQueue.class), standIn(SharedReceiveQueue.class), DcAccessKey.of(1))
                .withMaxResponders(3);
        assertThat(three.withReservedResponders(3).reservedResponders()).isEqualTo(3);
        refused("the number of reserved responders is 4; 0 to 3 is allowed", () -> three.withReservedResponders(4));
        refused("the number of reserved responders is -1; 0 to 3 is allowed", () -> three.withReservedResponders(-1));
        refused("the maximum is 0 responders, and 0 are reserved; at least 1", () -> three.withMaxResponders(0));
        refused(
                "the maximum is 1 responder, and 2 are reserved",
                () -> three.withReservedResponders(2).withMaxResponders(1));
    }

    @Test
    void aTargetsStatusIsBuiltByOneMethodANumber() {
        DcTargetStatus status =
                DcTargetStatus.of(DcTargetStatus.State.DRAINING).withSessions(3).withKeyViolations(4);
        assertThat(status).hasToString("DcTargetStatus[DRAINING, 3, 4]");
        assertThat(status).isEqualTo(status.withSessions(3)).isNotEqualTo(status.withSessions(4));
    }

    @Test
    void anInitiatorsDescriptionHasItsStreamsAndHandshake() {
        QpDescription<DcInitiator> requested =
                QpDescription.dc().withStreams(new DcStreams(2, 1)).withFullHandshake();
        assertThat(requested.type()).isEqualTo(QpType.DC_INI);
        assertThat(requested.options().streams()).hasValue(new DcStreams(2, 1));
        assertThat(requested.options().fullHandshake()).isTrue();
        assertThat(requested.withSignalAll().toString())
                .contains(", signaling all")
                .contains(", on 4 channels")
                .endsWith(", with full handshake");
    }

    // The driver accepts exactly these attributes.
    @Test
    void anInitiatorIsOpenedWithTheAttributesOfItsThreeSteps() {
        standIn(DcInitiator.class).open(TERMS).toCompletableFuture().resultNow();
        assertThat(asked)
                .containsExactly(
                        QpModify.to(QpState.INIT, new QpAttribute.PkeyIndex(0), new QpAttribute.Port(1)),
                        QpModify.to(QpState.RTR, new QpAttribute.Mtu(PathMtu.BYTES_4096)),
                        QpModify.to(
                                QpState.RTS,
                                new QpAttribute.Timeout(6),
                                new QpAttribute.RetryCount(1),
                                new QpAttribute.RnrRetry(2),
                                new QpAttribute.SendPsn(77),
                                new QpAttribute.MaxRdAtomic(5),
                                new QpAttribute.MinRnrTimer(9)));
    }

    @Test
    void aTargetIsOpenedWithTheAttributesOfItsTwoSteps() {
        standIn(DcTarget.class).open(TERMS).toCompletableFuture().resultNow();
        assertThat(asked)
                .containsExactly(
                        QpModify.to(
                                QpState.INIT,
                                new QpAttribute.PkeyIndex(0),
                                new QpAttribute.Port(1),
                                new QpAttribute.RemoteAccess(AccessFlags.LOCAL_AND_REMOTE)),
                        QpModify.to(
                                QpState.RTR,
                                new QpAttribute.MinRnrTimer(9),
                                new QpAttribute.Av(AddressVector.to(HERE)),
                                new QpAttribute.Mtu(PathMtu.BYTES_4096)));
    }

    private static void refused(String told, Runnable requested) {
        assertThatThrownBy(requested::run).isInstanceOf(VerbsException.class).hasMessageContaining(told);
    }

    /** Records the modifications and accepts all of them. */
    private <T> T standIn(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> switch (method.getName()) {
                    case "describe" -> type.getSimpleName();
                    case "gid" -> HERE;
                    case "modify" -> moved((QpModify) given[0]);
                    case "open" -> InvocationHandler.invokeDefault(self, method, given);
                    case "equals" -> self == given[0];
                    case "hashCode" -> 1;
                    default -> type.getSimpleName();
                }));
    }

    private CompletionStage<Void> moved(QpModify change) {
        asked.add(change);
        return CompletableFuture.completedStage(null);
    }
}
