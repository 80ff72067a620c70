// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.views.report.FieldValues.address;
import static org.hcaactors.views.report.FieldValues.number;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.fabric.mad.CmCodec;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.mad.CmMessage;
import org.hcaactors.fabric.mad.CmMessage.CmPath;
import org.hcaactors.fabric.mad.CmMessage.ConnectReply;
import org.hcaactors.fabric.mad.CmMessage.ConnectRequest;
import org.hcaactors.fabric.mad.IpService;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.views.flow.CmPayload;
import org.hcaactors.views.flow.CmSamples;
import org.hcaactors.views.rlog.Rlog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

// rules cm-mad, cm-messages, cm-ip-addresses
/** The fields of a message that a person is shown stand where the codec writes them. */
class CmFieldsTest {
    private static final BigInteger RESERVED = BigInteger.ZERO;

    static Stream<CmDatagram> datagrams() throws IOException {
        List<CmDatagram> all = new ArrayList<>();
        CmSamples.EACH_KIND.forEach(message -> all.add(new CmDatagram(0x8000_0002_6A03_34F9L, message)));
        for (String capture : CmSamples.CAPTURES) {
            for (Packet packet : CmSamples.captured(capture)) {
                all.add(CmCodec.decode(packet).orElseThrow());
            }
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("datagrams")
    void theFieldsOfAMessageFillItsDatagram(CmDatagram datagram) {
        List<FieldBlock> blocks = CmFields.of(datagram.message());
        assertThat(blocks.stream().mapToInt(FieldBlock::lengthBytes).sum()).isEqualTo(CmDatagram.BYTES);
        assertThat(blocks)
                .allSatisfy(block -> assertThat(block.fields().stream()
                                        .mapToInt(FieldBlock.Field::bits)
                                        .sum()
                                % Byte.SIZE)
                        .as(block.title())
                        .isZero());
    }

    @ParameterizedTest
    @MethodSource("datagrams")
    void everyFieldOfAMessageEqualsTheEncodedOne(CmDatagram datagram) {
        byte[] bytes = CmCodec.encode(datagram).toArray();
        List<BigInteger> shown = new ArrayList<>();
        int at = 0;
        for (FieldBlock block : CmFields.of(datagram.message())) {
            shown.addAll(FieldValues.of(block, bytes, at));
            at += block.lengthBytes();
        }
        assertThat(shown).isEqualTo(expected(datagram));
    }

    private static List<BigInteger> expected(CmDatagram datagram) {
        CmMessage message = datagram.message();
        List<BigInteger> all = new ArrayList<>(numbers(1, 7, 2, 0, 3, 0, 0));
        all.add(number(datagram.transactionId()));
        all.addAll(numbers(message.attribute().id(), 0, 0));
        all.addAll(ofMessage(message));
        int ofAddresses = 0;
        if (CmPayload.addresses(message).isPresent()) {
            all.addAll(ofAddresses(CmPayload.addresses(message).orElseThrow()));
            ofAddresses = IpService.BYTES;
        }
        all.add(padded(message.privateData(), message.attribute().privateBytes(), ofAddresses));
        return all;
    }

    private static List<BigInteger> ofMessage(CmMessage message) {
        return switch (message) {
            case ConnectRequest m -> ofRequest(m);
            case CmMessage.ReceiptAcknowledgment m ->
                numbers(m.localCommId(), m.remoteCommId(), m.of(), 0, m.serviceTimeout(), 0);
            case CmMessage.ConnectReject m ->
                and(
                        numbers(
                                m.localCommId(),
                                m.remoteCommId(),
                                m.of(),
                                0,
                                m.information().length(),
                                0,
                                m.reason()),
                        padded(m.information(), 72, 0));
            case ConnectReply m -> ofReply(m);
            case CmMessage.ReadyToUse m -> numbers(m.localCommId(), m.remoteCommId());
            case CmMessage.DisconnectRequest m -> numbers(m.localCommId(), m.remoteCommId(), m.remoteQpn(), 0);
            case CmMessage.DisconnectReply m -> numbers(m.localCommId(), m.remoteCommId());
            case CmMessage.ServiceRequest m -> and(numbers(m.requestId(), m.pkey(), 0), number(m.serviceId()));
            case CmMessage.ServiceReply m ->
                and(
                        numbers(m.requestId(), m.status(), m.information().length(), 0, m.qpNumber(), 0),
                        number(m.serviceId()),
                        number(m.qkey()),
                        padded(m.information(), 72, 0));
            case CmMessage.LoadAlternatePath m -> ofLoad(m);
            case CmMessage.AlternatePathResponse m ->
                and(
                        numbers(
                                m.localCommId(),
                                m.remoteCommId(),
                                m.information().length(),
                                m.status(),
                                0),
                        padded(m.information(), 72, 0));
        };
    }

    private static List<BigInteger> ofRequest(ConnectRequest m) {
        List<BigInteger> all = new ArrayList<>(List.of(
                number(m.localCommId()),
                RESERVED,
                number(m.serviceId()),
                number(m.caGuid()),
                RESERVED,
                number(m.queuePair().qkey()),
                number(m.queuePair().number()),
                number(m.limits().responderResources()),
                RESERVED,
                number(m.limits().initiatorDepth()),
                RESERVED,
                number(m.remoteResponseTimeout()),
                number(m.queuePair().transport()),
                number(m.limits().flowControl()),
                number(m.queuePair().startingPsn()),
                number(m.localResponseTimeout()),
                number(m.limits().retryCount()),
                number(m.queuePair().pkey()),
                number(m.queuePair().pathMtu()),
                RESERVED,
                number(m.limits().rnrRetryCount()),
                number(m.maxRetries()),
                number(m.queuePair().srq()),
                number(m.queuePair().extendedTransport())));
        for (CmPath path : List.of(m.primary(), m.alternate())) {
            all.addAll(ports(path));
            all.addAll(numbers(path.flowLabel(), 0, path.rate(), path.trafficClass(), path.hopLimit()));
            all.addAll(level(path));
        }
        return all;
    }

    private static List<BigInteger> ofLoad(CmMessage.LoadAlternatePath m) {
        List<BigInteger> all = new ArrayList<>(
                numbers(m.localCommId(), m.remoteCommId(), 0, m.remoteQpn(), m.remoteResponseTimeout(), 0, 0));
        CmPath path = m.alternate();
        all.addAll(ports(path));
        all.addAll(numbers(path.flowLabel(), 0, path.trafficClass(), path.hopLimit(), 0, path.rate()));
        all.addAll(level(path));
        return all;
    }

    private static List<BigInteger> ports(CmPath path) {
        return List.of(
                number(path.localLid()), number(path.remoteLid()), address(path.local()), address(path.remote()));
    }

    private static List<BigInteger> level(CmPath path) {
        return numbers(path.serviceLevel(), path.subnetLocal() ? 1 : 0, 0, path.ackTimeout(), 0);
    }

    private static List<BigInteger> ofReply(ConnectReply m) {
        return and(
                numbers(
                        m.localCommId(),
                        m.remoteCommId(),
                        m.qkey(),
                        m.qpNumber(),
                        0,
                        0,
                        0,
                        m.startingPsn(),
                        0,
                        m.responderResources(),
                        m.initiatorDepth(),
                        m.targetAckDelay(),
                        m.failover(),
                        m.flowControl() ? 1 : 0,
                        m.rnrRetryCount(),
                        m.srq() ? 1 : 0,
                        0),
                number(m.caGuid()));
    }

    private static List<BigInteger> ofAddresses(IpService ip) {
        return ip.source().isIpv4()
                ? numbers(
                        0,
                        0,
                        4,
                        0,
                        ip.sourcePort(),
                        0,
                        ip.source().ipv4(),
                        0,
                        ip.destination().ipv4())
                : and(numbers(0, 0, 6, 0, ip.sourcePort()), address(ip.source()), address(ip.destination()));
    }

    private static List<BigInteger> numbers(int... values) {
        return Arrays.stream(values).mapToObj(FieldValues::number).toList();
    }

    private static List<BigInteger> and(List<BigInteger> first, BigInteger... more) {
        return Stream.concat(first.stream(), Arrays.stream(more)).toList();
    }

    private static BigInteger padded(Octets data, int length, int from) {
        return new BigInteger(1, Arrays.copyOfRange(Arrays.copyOf(data.toArray(), length), from, length));
    }

    @Test
    void aReportKeepsWholeMessagesWithTheirFields() throws IOException {
        JsonNode packets = packets("cm_reject.pcap");
        assertThat(titles(packets, 0))
                .isEqualTo("Ethernet, IPv4, UDP, BTH, DETH, MAD, REQ, primary path, alternate path, IP addresses,"
                        + " private data");
        assertThat(titles(packets, 1)).isEqualTo("Ethernet, IPv4, UDP, BTH, DETH, MAD, REJ, private data");
        for (int i = 0; i < 2; i++) {
            byte[] frame = Base64.getDecoder().decode(packets.at("/bytes/" + i).asText());
            assertThat(frame).hasSize(packets.at("/length/" + i).asInt());
            assertThat(packets.at("/payload/" + i).asInt()).isEqualTo(CmDatagram.BYTES);
        }
    }

    @Test
    void aReportExplainsTheCodesOfMessages() throws IOException {
        JsonNode meanings = packets("cm_reject.pcap").at("/meanings");
        assertThat(meanings.at("/MAD.attribute ID")).hasToString("{\"16\":\"REQ\",\"18\":\"REJ\"}");
        assertThat(meanings.at("/REJ.reason")).hasToString("{\"8\":\"nothing listens at the service ID\"}");
        assertThat(meanings.at("/REQ.service ID/" + IpService.serviceId(IpService.TCP, 7174))
                        .asText())
                .isEqualTo("TCP port 7174");
        assertThat(meanings.at("/REQ.path MTU")).hasToString("{\"3\":\"1024 bytes\"}");
        assertThat(meanings.at("/primary path.ACK timeout")).hasToString("{\"19\":\"2147483.648 us\"}");
        assertThat(meanings.has("alternate path.ACK timeout")).isFalse();
    }

    /** Otherwise the inspector shows no meaning. */
    @Test
    void everyCodeNamesAFieldOfItsMessage() {
        for (CmMessage message : CmSamples.EACH_KIND) {
            List<String> fields = CmFields.of(message).stream()
                    .flatMap(block -> block.fields().stream().map(field -> block.title() + "." + field.name()))
                    .toList();
            assertThat(CmCode.of(message)).extracting(CmCode::field).isSubsetOf(fields);
        }
    }

    @Test
    void addressesAreShownAsThoseOfTheirIpVersion() {
        assertThat(CmSamples.EACH_KIND.subList(0, 3))
                .extracting(message ->
                        CmFields.of(message).get(4).fields().getLast().form())
                .containsExactly(FieldBlock.Form.IPV4, FieldBlock.Form.IPV6, FieldBlock.Form.BYTES);
    }

    private static JsonNode packets(String capture) throws IOException {
        String html = Report.html(Rlog.Header.of(capture), CmSamples.run(capture), 0);
        return ReportTest.data(html).at("/packets");
    }

    private static String titles(JsonNode packets, int packet) {
        JsonNode shape = packets.at("/shapes/" + packets.at("/shape/" + packet).asInt());
        List<String> titles = new ArrayList<>();
        shape.forEach(block ->
                titles.add(packets.at("/anatomy/" + block.asInt() + "/title").asText()));
        return titles.stream().collect(Collectors.joining(", "));
    }
}
