// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValueFactory;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writer of plans as HOCON: {@code faults = [ { drop { says = ACK, from = b, nth = 1 } } ]}. */
final class PlanWriter {
    private PlanWriter() {}

    static String write(FaultPlan plan) {
        List<Map<String, Object>> faults =
                plan.faults().stream().map(PlanWriter::write).toList();
        return ConfigValueFactory.fromMap(Map.of("faults", faults))
                .render(ConfigRenderOptions.defaults().setOriginComments(false).setJson(false));
    }

    /** Returns one fault on one line. */
    static String line(Fault fault) {
        return ConfigValueFactory.fromMap(write(fault)).render(ConfigRenderOptions.concise());
    }

    private static Map<String, Object> write(Fault fault) {
        Map<String, Object> keys = new LinkedHashMap<>();
        String kind = switch (fault) {
            case Fault.OnPackets packets -> write(packets, keys);
            case Fault.OnVerbs verbs -> write(verbs, keys);
            case Fault.LinkDown down -> {
                at(down, keys);
                keys.put("for", text(down.down()));
                yield "unplug";
            }
            case Fault.LinkChange change -> {
                at(change, keys);
                keys.put("latency", change.link().latencyNanos() + "ns");
                keys.put("bits-per-second", change.link().bitsPerSecond());
                keys.put("mtu-bytes", change.link().mtuBytes());
                keys.put("queue-bytes", change.link().queueBytes());
                yield "link";
            }
            case Fault.Crash crash -> {
                at(crash, keys);
                write(crash.victim(), keys);
                yield "crash";
            }
            case Fault.PowerCycle cycle -> {
                at(cycle, keys);
                keys.put("off", text(cycle.off()));
                yield "power-cycle";
            }
            case Fault.WithholdReceives starve -> {
                at(starve, keys);
                keys.put("qp", starve.qp());
                keys.put("messages", starve.messages());
                yield "starve";
            }
            case Fault.Kill kill -> {
                at(kill, keys);
                keys.put("process", kill.process());
                yield "kill";
            }
            case Fault.Evict evict -> write(evict, keys);
            case Fault.Fragment pieces -> {
                at(pieces, keys);
                keys.put("largest-block", pieces.largestBlock());
                yield "fragment";
            }
            case Fault.EndWaiter thread -> {
                at(thread, keys);
                keys.put("waiter", thread.waiter());
                yield "end-waiter";
            }
            case Fault.NotifyOff unit -> {
                at(unit, keys);
                keys.put("for", text(unit.off()));
                yield "notify-off";
            }
            case Fault.Pause pause -> {
                at(pause, keys);
                keys.put("for", text(pause.paused()));
                yield "pause";
            }
            case Fault.Slow slow -> {
                at(slow, keys);
                keys.put("by", text(slow.max()));
                keys.put("for", text(slow.slowed()));
                yield "slow";
            }
            case Fault.LoseWakeup lost -> {
                keys.put("adapter", lost.adapter());
                keys.put("cq", lost.cq());
                write(lost.trigger(), keys);
                yield "lose-wakeup";
            }
            case Fault.Drawn drawn -> {
                keys.put("what", drawn.what().name());
                keys.put("probability", drawn.probability());
                keys.put("lot", drawn.lot());
                yield "drawn";
            }
            case Fault.StallSubscriber stall -> {
                at(stall, keys);
                keys.put("cq", stall.cq());
                keys.put("for", text(stall.stalled()));
                yield "stall-subscriber";
            }
        };
        return Map.of(kind, keys);
    }

    private static String write(Fault.Evict evict, Map<String, Object> keys) {
        at(evict, keys);
        keys.put("process", evict.process());
        keys.put("address", "0x" + Long.toHexString(evict.address()));
        keys.put("bytes", evict.lengthBytes());
        return "evict";
    }

    private static String write(Fault.OnPackets packets, Map<String, Object> keys) {
        packets.match().conditions().forEach(condition -> write(condition, keys));
        write(packets.trigger(), keys);
        write(packets.moments(), keys);
        return write(packets.action(), keys);
    }

    private static String write(Fault.OnVerbs verbs, Map<String, Object> keys) {
        VerbMatch match = verbs.match();
        if (!match.verbs().isEmpty()) {
            keys.put("verb", names(match.verbs()));
        }
        match.process().ifPresent(process -> keys.put("process", process));
        match.adapter().ifPresent(adapter -> keys.put("adapter", adapter));
        keys.put("errno", verbs.errno().name());
        write(verbs.trigger(), keys);
        write(verbs.moments(), keys);
        return "fail";
    }

    private static void write(Interval moments, Map<String, Object> keys) {
        if (!moments.equals(Interval.ALL)) {
            keys.put("from-time", text(moments.from()));
            keys.put("until-time", text(moments.until()));
        }
    }

    private static void at(Fault.AtMoment fault, Map<String, Object> keys) {
        keys.put("at", text(fault.at()));
        keys.put("adapter", fault.adapter());
    }

    private static void write(CrashTarget victim, Map<String, Object> keys) {
        switch (victim) {
            case CrashTarget.QueuePairOf qp -> keys.put("qp", qp.number());
            case CrashTarget.CompletionQueueOf cq -> keys.put("cq", cq.number());
            case CrashTarget.SharedReceivesOf srq -> keys.put("srq", srq.number());
            case CrashTarget.TranslatorOf key -> keys.put("key", key.key());
            case CrashTarget.AdapterItself adapter -> {}
        }
    }

    private static String write(PacketAction action, Map<String, Object> keys) {
        return switch (action) {
            case PacketAction.Drop drop -> "drop";
            case PacketAction.Delay delay -> {
                keys.put("by", text(delay.min()));
                keys.put("at-most", text(delay.max()));
                yield "delay";
            }
            case PacketAction.Duplicate twice -> {
                keys.put("after", text(twice.after()));
                yield "duplicate";
            }
            case PacketAction.Reorder late -> {
                keys.put("behind", late.behind());
                keys.put("at-most", text(late.atMost()));
                yield "reorder";
            }
            case PacketAction.Corrupt corrupt -> {
                keys.put("where", corrupt.where().name());
                yield "corrupt";
            }
            case PacketAction.Forge forge -> {
                ForgeryText.write(forge.forgery(), keys);
                yield "forge";
            }
            case PacketAction.Rewrite rewrite -> throw ownCode(rewrite.words());
        };
    }

    private static void write(Trigger trigger, Map<String, Object> keys) {
        switch (trigger) {
            case Trigger.Always always -> {}
            case Trigger.Nth nth -> keys.put("nth", nth.n());
            case Trigger.First first -> keys.put("first", first.count());
            case Trigger.Every every -> keys.put("every", every.n());
            case Trigger.Chance chance -> keys.put("probability", chance.probability());
        }
    }

    private static void write(Condition condition, Map<String, Object> keys) {
        switch (condition) {
            case Condition.OpcodeIn in -> keys.put("opcode", names(in.opcodes()));
            case Condition.FamilyIn in -> keys.put("family", names(in.families()));
            case Condition.PlaceIn in -> keys.put("place", names(in.places()));
            case Condition.Transport transport ->
                keys.put("transport", transport.transport().name());
            case Condition.Says says -> keys.put("says", says.verdict().name());
            case Condition.Cm cm -> keys.put("cm", names(cm.messages()));
            case Condition.Request request -> keys.put("request", request.requested());
            case Condition.PsnBetween psn -> {
                keys.put("psn", psn.first());
                keys.put("psn-last", psn.last());
            }
            case Condition.From from -> keys.put("from", from.adapter());
            case Condition.To to -> keys.put("to", to.adapter());
            case Condition.FromSome some -> keys.put("from-lot", some.lot());
            case Condition.FromQp qp -> keys.put("from-qp", qp.number());
            case Condition.ToQp qp -> keys.put("to-qp", qp.number());
            case Condition.ToSrq srq -> keys.put("to-srq", srq.number());
            case Condition.Across across ->
                keys.put("across", across.oneSide().stream().sorted().toList());
            case Condition.Where where -> throw ownCode(where.words());
        }
    }

    private static IllegalArgumentException ownCode(String words) {
        return new IllegalArgumentException("a fault with custom code cannot be written to a fault plan: " + words);
    }

    private static List<String> names(Set<? extends Enum<?>> values) {
        return values.stream().map(Enum::name).sorted().toList();
    }

    static String text(Duration time) {
        return time.equals(Interval.FOR_EVER) ? "ever" : time.toNanos() + "ns";
    }
}
