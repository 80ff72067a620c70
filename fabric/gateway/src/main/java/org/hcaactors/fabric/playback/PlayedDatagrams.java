// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.playback;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.recording.Difference.Field;

/** Recorded datagrams between one port of this side and one queue pair of the peer, in order. Nothing repeats them. */
final class PlayedDatagrams implements Conversation {
    private final PortAddress port;
    private final Numbers numbers;
    private final Comparison comparison;
    private final ToldKeys keys;
    private final List<Item> own = new ArrayList<>();
    private int next;

    PlayedDatagrams(PortAddress port, Numbers numbers, Comparison comparison, ToldKeys keys) {
        this.port = port;
        this.numbers = numbers;
        this.comparison = comparison;
        this.keys = keys;
    }

    @Override
    public void addOwn(Item item) {
        own.add(item);
    }

    @Override
    public void addOfPeer(Item item) {
        // Datagrams name no memory.
    }

    @Override
    public Outcome arrived(Packet packet) {
        if (next == own.size()) {
            return new Outcome.Refused(
                    Comparison.unexpected(packet, "this side sent " + own.size() + " datagrams to this queue pair"));
        }
        Item item = own.get(next);
        List<Field> fields = comparison.fields(item, packet);
        Comparison.add(
                fields,
                "Q_Key",
                "0x%08x".formatted(item.packet().deth().qkey()),
                "0x%08x".formatted(packet.deth().qkey()));
        if (!fields.isEmpty()) {
            return new Outcome.Refused(Comparison.otherFields(item.recorded, packet, fields));
        }
        item.passed = true;
        next++;
        numbers.queuePair(port, item.packet().deth().sourceQp(), packet.deth().sourceQp());
        keys.read(item, packet.payload());
        return Outcome.TAKEN;
    }

    @Override
    public Packet translated(Packet packet) {
        return Numbers.renumbered(packet, numbers.queuePair(port, packet.bth().destQp()), 0, packet.extended());
    }

    @Override
    public List<Packet> unanswered(Item missing) {
        return List.of();
    }
}
