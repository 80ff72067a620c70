// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.lab.fault.PacketMatch.packet;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.link.PacketInTransit;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.fabric.wire.BitFlip;
import org.hcaactors.fabric.wire.FrameDamage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A plan is data: it can be printed, stored and loaded again. */
class FaultPlanTest {
    private static final Duration AT = Duration.ofNanos(1500);

    private static Fault on(PacketMatch match, Trigger trigger, PacketAction action) {
        return new Fault.OnPackets(match, trigger, Interval.ALL, action);
    }

    private static final FaultPlan EVERYTHING = FaultPlan.of(
            on(packet().ack().and(new Condition.From("b")), new Trigger.Nth(1), new PacketAction.Drop()),
            on(packet().nak().psn(7, 9), new Trigger.First(3), new PacketAction.Duplicate(AT)),
            on(packet().rnrNak(), new Trigger.Every(13), new PacketAction.Delay(Duration.ZERO, AT)),
            on(
                    packet().opcode(Opcode.RC_SEND_ONLY, Opcode.UC_SEND_ONLY)
                            .and(new Condition.FromQp(17))
                            .and(new Condition.ToQp(18))
                            .srq(19),
                    new Trigger.Chance(0.25),
                    new PacketAction.Reorder(2, AT)),
            on(
                    packet().write()
                            .place(Operation.Place.LAST)
                            .transport(TransportClass.RC)
                            .request(),
                    new Trigger.Always(),
                    new PacketAction.Corrupt(BitFlip.Where.HEADER)),
            new Fault.OnPackets(
                    packet().and(new Condition.To("b")).and(new Condition.Across(Set.of("a", "c"))),
                    new Trigger.Always(),
                    new Interval(AT, AT.plus(AT)),
                    new PacketAction.Drop()),
            on(
                    packet().request(),
                    new Trigger.Nth(4),
                    new PacketAction.Forge(Forgery.answer(Opcode.RC_ACKNOWLEDGE)
                            .set(ForgedField.SYNDROME, 0x62)
                            .set(ForgedField.ADDRESS, -1)
                            .add(ForgedField.PSN, -1)
                            .after(AT))),
            on(
                    packet(),
                    new Trigger.Always(),
                    new PacketAction.Forge(
                            Forgery.copy().set(ForgedField.OPCODE, 0xFF).ahead().damaged(new FrameDamage.Resize(-9)))),
            new Fault.LinkDown(AT, "a", Interval.FOR_EVER),
            new Fault.LinkChange(AT, "a", LinkProperties.of(5000, 1_000_000_000L)),
            new Fault.Crash(AT, new CrashTarget.QueuePairOf("a", 17)),
            new Fault.Crash(AT, new CrashTarget.CompletionQueueOf("a", 1)),
            new Fault.Crash(AT, new CrashTarget.SharedReceivesOf("a", 1)),
            new Fault.Crash(AT, new CrashTarget.TranslatorOf("a", 0x200)),
            new Fault.Crash(AT, new CrashTarget.AdapterItself("a")),
            new Fault.PowerCycle(AT, "b", AT),
            new Fault.WithholdReceives(AT, "b", 17, 2),
            new Fault.Kill(AT, "b", "app"),
            new Fault.Evict(AT, "b", "app", 0x7F00_0000_1000L, 8192),
            new Fault.Fragment(AT, "b", 32 << 10),
            new Fault.EndWaiter(AT, "b", 1),
            new Fault.NotifyOff(AT, "b", AT),
            new Fault.Pause(AT, "b", AT),
            new Fault.Slow(AT, "b", AT, AT),
            new Fault.LoseWakeup("b", 2, new Trigger.Nth(3)),
            new Fault.StallSubscriber(AT, "b", 2, AT));

    @Test
    void aWrittenPlanIsReadAsTheSamePlan() {
        assertThat(FaultPlan.parse(EVERYTHING.toHocon())).isEqualTo(EVERYTHING);
        for (long seed = 0; seed < 200; seed++) {
            for (Swarm swarm : Swarm.values()) {
                FaultPlan plan = swarm.plan(seed, List.of("a", "b"), Duration.ofMillis(1))
                        .and(swarm.wakeUps(seed, "c", Duration.ofMillis(1)));
                assertThat(FaultPlan.parse(plan.toHocon())).isEqualTo(plan);
            }
        }
    }

    @Test
    void forgeriesOfXrcAreWrittenDescribedAndMatchXrc() {
        Forgeries forgeries = new Forgeries(new SplittableRandom(1), TransportClass.XRC);
        FaultPlan plan =
                FaultPlan.of(Stream.generate(forgeries::next).limit(2000).toArray(Fault[]::new));
        assertThat(FaultPlan.parse(plan.toHocon())).isEqualTo(plan);
        List<String> words = plan.faults().stream().map(Fault::words).toList();
        assertThat(words).anyMatch(each -> each.contains("opcode XRC_ACKNOWLEDGE"));
        assertThat(words).anyMatch(each -> each.contains("xrc-srq "));
        assertThat(words).anyMatch(each -> each.contains("MASKED_FETCH_ADD"));
        assertThat(words).anyMatch(each -> each.contains("MIDDLE or LAST XRC"));
        assertThat(words).allMatch(each -> each.contains("XRC"), "is at XRC");
    }

    @Test
    void forgeriesOfRcHaveNoFieldsOfXrcAndDc() {
        Forgeries forgeries = new Forgeries(new SplittableRandom(1), TransportClass.RC);
        assertThat(Stream.generate(forgeries::next).limit(2000))
                .allSatisfy(fault -> assertThat(fault.words())
                        .doesNotContain("xrc-srq", "XRC requests", "DC requests", "session", "dc-flags", "channel"));
    }

    // rules wire-dc-connect, wire-dc-cnak
    @Test
    void forgeriesOfDcAreWrittenDescribedAndMatchDc() {
        Forgeries forgeries = new Forgeries(new SplittableRandom(1), TransportClass.DC);
        FaultPlan plan =
                FaultPlan.of(Stream.generate(forgeries::next).limit(2000).toArray(Fault[]::new));
        assertThat(FaultPlan.parse(plan.toHocon())).isEqualTo(plan);
        List<String> words = plan.faults().stream().map(Fault::words).toList();
        assertThat(words)
                .anyMatch(each -> each.contains("opcode DC_ACKNOWLEDGE, psn") && each.contains("syndrome 0x64"));
        assertThat(words).anyMatch(each -> each.contains("opcode 0x55, solicited 1"));
        assertThat(words).anyMatch(each -> each.contains("session -256"));
        assertThat(words).anyMatch(each -> each.contains("access-key +1"));
        assertThat(words).anyMatch(each -> each.contains("next-psn +1"));
        assertThat(words).anyMatch(each -> each.contains("sender "));
        assertThat(words).allMatch(each -> each.contains("DC"), "is at DC").noneMatch(each -> each.contains("xrc-srq"));
    }

    // rule wire-dc-connect
    @Test
    void aPlanNamesConnectAndDisconnectWithTheirSolicitedBit() {
        String forge = "faults = [ { forge { set { opcode = %s } } } ]";
        for (Opcode opcode : List.of(Opcode.DC_CONNECT, Opcode.DC_DISCONNECT, Opcode.DC_ACKNOWLEDGE)) {
            FaultPlan plan = FaultPlan.of(on(
                    packet(),
                    new Trigger.Always(),
                    new PacketAction.Forge(Forgery.copy().opcode(opcode))));
            assertThat(FaultPlan.parse(forge.formatted(opcode))).isEqualTo(plan);
            assertThat(FaultPlan.parse(plan.toHocon())).isEqualTo(plan);
        }
        assertThatThrownBy(() ->
                        FaultPlan.parse("faults = [ { forge { set { opcode = DC_DISCONNECT, solicited = 0 } } } ]"))
                .hasMessageContaining("each field may be changed only once");
    }

    @Test
    void everySwarmButOffDrawsEachKindOfWakeUpFault() {
        for (Swarm swarm : Swarm.values()) {
            assertThat(LongStream.range(0, 50)
                            .mapToObj(seed -> swarm.wakeUps(seed, "c", Duration.ofMillis(1)))
                            .flatMap(plan -> plan.faults().stream())
                            .map(Fault::getClass)
                            .distinct())
                    .hasSize(swarm == Swarm.OFF ? 0 : 3);
        }
    }

    @Test
    void theAddressOfAnEvictionIsWrittenAsItIsReadInLadders() {
        FaultPlan plan = FaultPlan.of(new Fault.Evict(AT, "b", "app", 0x7F00_0000_1000L, 4096));
        assertThat(plan.toHocon()).contains("address=\"0x7f0000001000\"");
        assertThat(FaultPlan.parse("faults = [ { evict { at = 1500ns, adapter = b, process = app,"
                        + " address = 0x7f0000001000, bytes = 4KiB } } ]"))
                .isEqualTo(plan);
    }

    @Test
    void everyFaultHasADescription() {
        assertThat(EVERYTHING.faults().getFirst().words()).isEqualTo("drop the 1st ACK from b");
        assertThat(Swarm.HOSTILE.plan(7, List.of("a"), AT).faults()).isNotEmpty();
        assertThat(EVERYTHING.faults().get(6).words())
                .isEqualTo("forge an answer (opcode RC_ACKNOWLEDGE, psn -1, address 0xffffffffffffffff, syndrome 0x62)"
                        + " 1.500 us behind the 4th requests");
        assertThat(EVERYTHING.faults())
                .allSatisfy(fault -> assertThat(fault.words()).isNotBlank().doesNotContain("[", "Optional"));
        assertThat(FaultPlan.NONE).hasToString("no faults");
    }

    @Test
    void aFaultCanMatchTheRequestsForOneSharedReceiveQueue() {
        Bth bth = Bth.of(Opcode.XRC_SEND_MIDDLE, false, true, 0, 0xFFFF, 17, false, 5);
        Route way = new Route(PortAddress.ofIpv4(1), PortAddress.ofIpv4(2), 0, 64, 0, 0xC000);
        Packet send = new Packet(way, bth, List.of(new ExtendedHeader.XrcEth(0, 19)), Octets.NONE);
        Packet other = new Packet(
                way,
                Bth.of(Opcode.XRC_READ_RESPONSE_MIDDLE, false, true, 0, 0xFFFF, 19, false, 5),
                List.of(),
                Octets.NONE);
        assertThat(packet().srq(19).holds(new PacketInTransit("a", 1, "b", send, 0)))
                .isTrue();
        assertThat(packet().srq(20).holds(new PacketInTransit("a", 1, "b", send, 0)))
                .isFalse();
        assertThat(packet().srq(19).holds(new PacketInTransit("a", 1, "b", other, 0)))
                .isFalse();
        assertThat(packet().srq(19)).hasToString("to srq19");
    }

    @Test
    void faultsWithCustomCodeCanBePrintedButNotWritten() {
        FaultPlan plan =
                FaultPlan.of(on(packet().where("odd", transit -> true), new Trigger.Always(), new PacketAction.Drop()));
        assertThat(plan).hasToString("drop where odd");
        assertThatThrownBy(plan::toHocon)
                .hasMessage("a fault with custom code cannot be written to a fault plan: where odd");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "faults = [ { drip {} } ] | line 1: faults[0].drip: unknown fault; allowed are drop, delay, duplicate",
                "faults = [ { drop { form = b } } ] | line 1: faults[0].drop.form: unknown key; allowed are across, cm",
                "faults = [ { drop { says = MAYBE } } ] | line 1: faults[0].drop.says: there is no MAYBE; allowed are ACK, NAK, RNR",
                "faults = [ { drop { nth = 0 } } ] | line 1: faults[0].drop.nth: 0 is out of range; 1 to",
                "faults = [ { drop { probability = 2 } } ] | line 1: faults[0].drop: the probability is 2.0; 0 to 1 is allowed",
                "faults = [ { drop { psn = x } } ] | line 1: faults[0].drop.psn: \"x\" is no integer; 0 to 16777215 is allowed",
                "faults = [ { forge { set { psm = 1 } } } ] | line 1: faults[0].forge.set.psm: there is no psm; allowed are OPCODE",
                "faults = [ { forge { set { psn = -1 } } } ] | line 1: faults[0].forge.set.psn: -1 is out of range; 0 to 16777215",
                "faults = [ { forge { set { opcode = RC_X } } } ] | line 1: faults[0].forge.set.opcode: there is no RC_X; allowed are RC",
                "faults = [ { forge { set { psn = 1 }, add { psn = 1 } } } ] | line 1: faults[0].forge: each field may be changed only once: psn 1",
                "faults = [ { forge { resize = 0 } } ] | line 1: faults[0].forge: a frame can't be resized by 0 bytes; -9000 to 9000 without 0",
                "faults = [ { unplug { adapter = a } } ] | line 1: faults[0].unplug.at: is missing",
                "faults = [ { unplug { at = soon } } ] | line 1: faults[0].unplug.at: \"soon\" is no time; a number with ns",
                "faults = [ { drop {}, delay {} } ] | line 1: faults[0]: a fault is an object with exactly one key, the kind of the fault; it has the keys",
                "faults = [ { drop = 3 } ] | line 1: faults[0].drop: is 3; an object { ... } is required",
                "faults = [ { evict { at = 1us, adapter = a, process = p, bytes = 4096 } } ] | line 1: faults[0].evict.bytes: requires address; omit both",
                "faults = [ { evict { at = 1us, adapter = a, process = p, address = 0x1000, bytes = 9223372036854775807 } } ] | line 1: faults[0].evict: the range to evict has 9223372036854775807 bytes at 0x1000; at least 1 byte, which ends below 2^63",
                "faults = [ { lose-wakeup { adapter = b } } ] | line 1: faults[0].lose-wakeup.cq: is missing; the number that the ladder shows is required: 1 for cq1",
                "faults = [ { lose-wakeup { adapter = b, cq = cq1 } } ] | line 1: faults[0].lose-wakeup.cq: cq1 is no number; the number that the ladder shows is required: 1 for cq1",
                "faults = [ { end-waiter { at = 1us, adapter = b } } ] | line 1: faults[0].end-waiter.waiter: is missing; the number that the ladder shows is required: 1 for waiter1",
                "faults = [ { crash { at = 1us, adapter = b, qp = x } } ] | line 1: faults[0].crash.qp: x is no number; the number that the ladder shows is required",
                "faults = 3 | line 1: faults: is 3; a list [ ... ] is required",
                "nothing = 3 | line 1: faults: is missing",
                "faults = [ | line 1: List should have ]"
            })
    void anInvalidPlanIsRefusedWithTheAllowedValues(String text, String reason) {
        assertThatThrownBy(() -> FaultPlan.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(reason.strip());
    }
}
