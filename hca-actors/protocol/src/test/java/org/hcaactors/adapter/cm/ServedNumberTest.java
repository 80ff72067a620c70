// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.cm;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.connection.DcTargetLocation;
import org.hcaactors.fabric.mad.CmMessage.ServiceReply;
import org.hcaactors.fabric.packet.Octets;
import org.junit.jupiter.api.Test;

// rule cm-services
class ServedNumberTest {
    private static final Gid PEER = Gid.parse("10.0.0.7");

    private static ServiceReply reply(ServedNumber number, Octets data) {
        return new ServiceReply(1, 0, number.number(), number.service(7471), number.qkeyOnWire(), Octets.NONE, data);
    }

    @Test
    void aDcTargetIsReadFromItsPaddedReply() {
        ServedNumber target = new ServedNumber.DcTargetNumber(0x12_3456, DcAccessKey.of(-5));
        byte[] padded = new byte[136];
        System.arraycopy(
                target.privateData().toArray(),
                0,
                padded,
                0,
                target.privateData().length());

        assertThat(ServedNumber.dcTarget(PEER, reply(target, Octets.wrap(padded, 0, padded.length))))
                .contains(new DcTargetLocation(PEER, 0x12_3456, DcAccessKey.of(-5)));
    }

    @Test
    void aQueuePairIsNotTakenForADcTarget() {
        ServedNumber datagrams = new ServedNumber.Datagrams(0x77, QKey.of(0x1234));
        byte[] zeros = new byte[136];

        assertThat(ServedNumber.dcTarget(PEER, reply(datagrams, Octets.wrap(zeros, 0, zeros.length))))
                .isEmpty();
        assertThat(ServedNumber.dcTarget(PEER, reply(datagrams, Octets.NONE))).isEmpty();
        assertThat(ServedNumber.datagrams(PEER, reply(datagrams, Octets.NONE)).qkey())
                .isEqualTo(QKey.of(0x1234));
    }
}
