// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.mad.CmMessage;
import org.hcaactors.fabric.mad.CmMessage.CmPath;
import org.hcaactors.fabric.mad.IpService;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.PortAddress;
import org.junit.jupiter.api.Test;

// rule cm-messages
/** Messages that no capture contains, as JSON. */
class CmJsonTest {
    private static final Octets DATA = Octets.copyOf((byte) 0xCA, (byte) 0xFE);

    private static ObjectNode json(CmMessage message) {
        ObjectNode json = CmJson.of(new CmDatagram(-1, message));
        assertThat(json.remove("transactionId").asText()).isEqualTo("0xffffffffffffffff");
        assertThat(json.remove("privateData").asText()).isEqualTo("cafe");
        return json;
    }

    @Test
    void messagesOfAConnectionHaveTheIdsOfBothEnds() {
        String ids = "\"localCommId\":4294967295,\"remoteCommId\":2";
        assertThat(json(new CmMessage.ReadyToUse(-1, 2, DATA)))
                .hasToString("{\"message\":\"RTU\",\"attributeId\":20," + ids + "}");
        assertThat(json(new CmMessage.DisconnectRequest(-1, 2, 40, DATA)))
                .hasToString("{\"message\":\"DREQ\",\"attributeId\":21," + ids + ",\"remoteQpn\":40}");
        assertThat(json(new CmMessage.DisconnectReply(-1, 2, DATA)))
                .hasToString("{\"message\":\"DREP\",\"attributeId\":22," + ids + "}");
        assertThat(json(new CmMessage.ReceiptAcknowledgment(-1, 2, 1, 16, DATA)))
                .hasToString("{\"message\":\"MRA\",\"attributeId\":17," + ids
                        + ",\"of\":{\"code\":1,\"text\":\"REP\"},\"serviceTimeout\":16}");
    }

    @Test
    void messagesOfAPathHaveItsFieldsAndTheirStatus() {
        CmPath path = new CmPath(
                1, 2, PortAddress.ofIpv4(0x0A4D_0003), PortAddress.ofIpv4(0x0A4D_0002), 3, 4, 5, 6, 7, true, 8);
        assertThat(json(new CmMessage.LoadAlternatePath(1, 2, 40, 20, path, DATA)))
                .hasToString("{\"message\":\"LAP\",\"attributeId\":25,\"localCommId\":1,\"remoteCommId\":2,"
                        + "\"remoteQpn\":40,\"remoteResponseTimeout\":20,\"alternate\":{\"localLid\":1,\"remoteLid\":2,"
                        + "\"local\":\"10.77.0.3\",\"remote\":\"10.77.0.2\",\"flowLabel\":3,\"rate\":4,\"trafficClass\":5,"
                        + "\"hopLimit\":6,\"serviceLevel\":7,\"subnetLocal\":1,\"ackTimeout\":8}}");
        assertThat(json(new CmMessage.AlternatePathResponse(1, 2, 3, DATA, DATA)))
                .hasToString("{\"message\":\"APR\",\"attributeId\":26,\"localCommId\":1,\"remoteCommId\":2,"
                        + "\"status\":{\"code\":3,\"text\":\"the path is rejected\"},\"information\":\"cafe\"}");
    }

    @Test
    void messagesOfAServiceHaveItsPort() {
        long service = IpService.serviceId(IpService.UDP, 7174);
        assertThat(json(new CmMessage.ServiceRequest(-2, 0xFFFF, service, DATA)))
                .as("without addresses, as the private data are too short")
                .hasToString("{\"message\":\"SIDR_REQ\",\"attributeId\":23,\"requestId\":4294967294,\"pkey\":65535,"
                        + "\"serviceId\":\"0x0000000001111c06\",\"service\":{\"space\":\"UDP\",\"port\":7174}}");
        assertThat(json(new CmMessage.ServiceReply(-2, 1, 42, 7, -1, DATA, DATA)))
                .as("of a service that is no IP port")
                .hasToString("{\"message\":\"SIDR_REP\",\"attributeId\":24,\"requestId\":4294967294,"
                        + "\"status\":{\"code\":1,\"text\":\"nothing listens at the service ID\"},\"qpNumber\":42,"
                        + "\"serviceId\":\"0x0000000000000007\",\"qkey\":4294967295,\"information\":\"cafe\"}");
    }
}
