package org.hcaactors.lab.conform;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.lab.flow.Wording;

/** Judges our machines by one capture of two real RDMA stacks, both ends in turn. */
public final class Conformance {
    /**
     * @param verdict of all its conversations together
     * @param packets that were judged
     * @param outOfScope frames that were not, by reason
     */
    public record Report(Verdict verdict, int packets, Map<String, Integer> outOfScope) {
        public Report {
            outOfScope = Map.copyOf(outOfScope);
        }
    }

    private Conformance() {}

    /** @throws IOException if it can't be read, or is no capture */
    public static Report of(Path capture) throws IOException {
        Traffic traffic = Traffic.read(capture);
        Notes notes = Notes.beside(capture);
        List<Leg> legs = Leg.of(traffic.packets());
        Verdict sum = strays(traffic, legs);
        for (Leg leg : legs) {
            sum = sum.plus(verdict(leg, notes));
        }
        return new Report(sum, traffic.packets().size(), traffic.outOfScope());
    }

    /** Answers to nothing that was captured. */
    private static Verdict strays(Traffic traffic, List<Leg> legs) {
        Tally tally = new Tally();
        Set<Heard> known = new HashSet<>();
        legs.forEach(leg -> known.addAll(leg.packets()));
        for (Heard heard : traffic.packets()) {
            if (!known.contains(heard)) {
                tally.answer();
                tally.mismatch(heard.frame(), Wording.of(heard.packet()), "no request that it could answer", new FieldDifference("PSN", String.valueOf(heard.psn()), "none that was asked for"));
            }
        }
        return tally.verdict();
    }

    private static Verdict verdict(Leg leg, Notes notes) {
        Tally tally = new Tally();
        if (leg.transport() == TransportClass.RC) {
            new ResponderTrial(leg, notes, tally).run();
        } else {
            new ReceiverTrial(leg, notes, tally).run();
        }
        if (leg.transport() != TransportClass.UD) {
            // UD's address handles need an adapter around them; its one-packet messages are judged where they arrive.
            new RequesterTrial(leg, notes, tally).run();
        }
        return tally.verdict();
    }
}
