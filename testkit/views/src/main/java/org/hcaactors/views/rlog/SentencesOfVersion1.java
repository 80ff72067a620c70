// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hcaactors.adapter.flow.BadAnswer;
import org.hcaactors.adapter.flow.BadRequest;
import org.hcaactors.adapter.flow.BudgetSpent;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.DependencyFailure;
import org.hcaactors.adapter.flow.GoBack;
import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.adapter.flow.KeyDenied;
import org.hcaactors.adapter.flow.NoReceive;
import org.hcaactors.adapter.flow.Notice;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.Refused;
import org.hcaactors.adapter.flow.StateReason;
import org.hcaactors.adapter.flow.Stray;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.fabric.packet.TransportClass;

/**
 * The reasons behind the sentences that files of version 1 hold instead. They are history: nothing here changes when a sentence
 * of today does.
 */
final class SentencesOfVersion1 {
    private static final Map<String, Reason> PLAIN = Map.ofEntries(
            Map.entry("", Notice.Plainly.SEE_CAUSE),
            Map.entry("modify", StateReason.MODIFIED),
            Map.entry("modified to ERR", StateReason.MODIFIED_TO_ERR),
            Map.entry("closed", StateReason.CLOSED),
            Map.entry("a request failed", StateReason.A_REQUEST_FAILED),
            Map.entry("a peer's request was refused", StateReason.REFUSED_ITS_PEER),
            Map.entry("its actor crashed", DependencyFailure.ITS_ACTOR),
            Map.entry("its completion queue is in error", DependencyFailure.COMPLETION_QUEUE),
            Map.entry("its shared receive queue is in error", DependencyFailure.SHARED_RECEIVES),
            Map.entry("the adapter is in error", DependencyFailure.DEVICE),
            Map.entry("timeout", GoBack.TIMEOUT),
            Map.entry("NAK PSN sequence error", GoBack.SEQUENCE_NAK),
            Map.entry("a response is missing (implied NAK)", GoBack.IMPLIED_NAK),
            Map.entry("RNR wait is over", GoBack.RNR_WAIT_IS_OVER),
            Map.entry("no receive is posted", NoReceive.NONE_IS_POSTED),
            Map.entry("its shared receive queue is empty", NoReceive.SHARED_QUEUE_IS_EMPTY),
            Map.entry("it was made to find no receive", NoReceive.STARVED),
            Map.entry("ghost response: its PSN is not outstanding", Ignored.Plainly.GHOST),
            Map.entry("it went back for this NAK already", Ignored.Plainly.WENT_BACK_FOR_NAK),
            Map.entry(
                    "a response before it is missing, and it went back for that already",
                    Ignored.Plainly.WENT_BACK_FOR_RESPONSE),
            Map.entry("sending goes on when the RNR wait is over", Ignored.Plainly.BACKING_OFF),
            Map.entry("out of sequence, and a NAK is out already", Ignored.Plainly.NAK_IS_OUT),
            Map.entry("a duplicate READ that is not remembered", Ignored.Plainly.FORGOTTEN_READ),
            Map.entry("a duplicate atomic that is not remembered", Ignored.Plainly.FORGOTTEN_ATOMIC),
            Map.entry("the connection has failed", Ignored.Plainly.CONNECTION_HAS_FAILED),
            Map.entry("the queue pair has failed", Ignored.Plainly.QUEUE_PAIR_HAS_FAILED),
            Map.entry("receive buffer full while waiting for a lease", Ignored.Plainly.RESPONSES_WAIT),
            Map.entry("receive buffer full while waiting for memory", Ignored.Plainly.REQUESTS_WAIT),
            Map.entry("part of a message that was given up", Ignored.Plainly.PART_OF_A_MESSAGE_GIVEN_UP),
            Map.entry("a packet of the message is missing", Ignored.Plainly.PACKET_MISSING),
            Map.entry("the message before never ended", Ignored.Plainly.MESSAGE_NEVER_ENDED),
            Map.entry("wrong length", Ignored.Plainly.WRONG_LENGTH),
            Map.entry("longer than the receive", Ignored.Plainly.LONGER_THAN_RECEIVE),
            Map.entry("the queue pair takes no WRITE", Ignored.Plainly.TAKES_NO_WRITE),
            Map.entry("the receive's memory can't be used", Ignored.Plainly.RECEIVE_MEMORY_UNUSABLE),
            Map.entry("the first packet came in while the queue pair was in RTR", Notice.Plainly.FIRST_PACKET_IN_RTR),
            Map.entry("in SQD, and nothing that was started is without completion", Notice.Plainly.DRAINED),
            Map.entry(
                    "in ERR, and it takes nothing more from its shared receive queue",
                    Notice.Plainly.TAKES_NO_MORE_RECEIVES),
            Map.entry("the cable was plugged in", Notice.Plainly.CABLE_IN),
            Map.entry("the cable was pulled", Notice.Plainly.CABLE_OUT),
            Map.entry("the queue pair's max_rd_atomic is 0", new BadRequest.NoReadsAllowed()),
            Map.entry("an address handle of another protection domain or adapter", new BadRequest.ForeignPath()),
            Map.entry("a response with data to a request that awaits none", new BadAnswer.UnwantedData()),
            Map.entry("a READ of more than 2^31 bytes", new Refused.ReadTooLong()));

    /** A sentence with something in it, and what to make of that; empty where it can't have been meant so. */
    private record Form(Pattern sentence, Function<MatchResult, Optional<? extends Reason>> meaning) {
        Optional<Reason> read(String text) {
            Matcher matcher = sentence.matcher(text);
            try {
                return matcher.matches() ? meaning.apply(matcher).map(Reason.class::cast) : Optional.empty();
            } catch (NumberFormatException tooLarge) {
                return Optional.empty();
            }
        }
    }

    private static final List<Form> FORMS = List.of(
            form(
                    "(.+), retry count (\\d+) is spent",
                    in -> Optional.ofNullable(PLAIN.get(in.group(1)))
                            .filter(GoBack.class::isInstance)
                            .map(last -> new BudgetSpent.Retries((GoBack) last, number(in, 2)))),
            sure("RNR NAK, RNR retry count (\\d+) is spent", in -> new BudgetSpent.RnrRetries(number(in, 1))),
            key("is not registered, or not any more", in -> new Denial.Unregistered()),
            key(
                    "belongs to protection domain (\\d+); (\\d+) is needed",
                    in -> new Denial.ForeignDomain(number(in, 3), number(in, 4))),
            key(
                    "covers (\\d+) bytes from 0x(\\p{XDigit}+); (\\d+) from 0x(\\p{XDigit}+) are not inside",
                    in -> new Denial.OutOfRange(address(in, 4), count(in, 3), address(in, 6), count(in, 5))),
            form(
                    "([LR])_Key 0x(\\p{XDigit}{8}) does not allow (\\w+)",
                    in -> constant(Access.class, in.group(3)).map(right -> denied(in, new Denial.MissingRight(right)))),
            form("its peer answered (.+)", in -> syndrome(in.group(1)).map(BadAnswer.PeerRefused::new)),
            form(
                    "(\\w+) in answer to (\\w+)",
                    in -> constant(Operation.class, in.group(1))
                            .flatMap(answer -> constant(CompletionKind.class, in.group(2))
                                    .map(request -> new BadAnswer.OtherKind(answer, request)))),
            form(
                    "(\\w+) is not the part or the length that was due",
                    in -> constant(Operation.class, in.group(1)).map(BadAnswer.OtherPart::new)),
            sure("an atomic into (\\d+) bytes; it needs 8", in -> new BadRequest.AtomicLength(count(in, 1))),
            sure(
                    "a message of (\\d+) bytes; at most (\\d+) are allowed",
                    in -> new BadRequest.MessageTooLong(count(in, 1), count(in, 2))),
            sure(
                    "a datagram of (\\d+) bytes; the port's MTU is (\\d+)",
                    in -> new BadRequest.DatagramTooLong(count(in, 1), number(in, 2))),
            form(
                    "the queue pair does not allow (\\w+)",
                    in -> constant(Access.class, in.group(1)).map(Refused.NotAllowed::new)),
            sure(
                    "more READs and atomics at a time than its max_dest_rd_atomic of (\\d+)",
                    in -> new Refused.TooManyReads(number(in, 1))),
            form(
                    "(\\w+) with (\\d+) bytes at a path MTU of (\\d+)",
                    in -> constant(Operation.class, in.group(1))
                            .map(packet -> new Refused.PacketLength(packet, number(in, 2), number(in, 3)))),
            form(
                    "(\\w+) outside of a message",
                    in -> constant(Operation.class, in.group(1))
                            .map(packet -> new Refused.OutOfPlace(packet, Refused.Inside.NOTHING))),
            form(
                    "(\\w+) inside of a (SEND|WRITE)",
                    in -> constant(Operation.class, in.group(1))
                            .map(packet -> new Refused.OutOfPlace(packet, Refused.Inside.valueOf(in.group(2))))),
            sure("(\\S+) has no atomics", in -> new Refused.NoAtomics(in.group(1))),
            sure(
                    "an atomic at 0x(\\p{XDigit}+), which is no multiple of 8",
                    in -> new Refused.AtomicMisaligned(Long.parseUnsignedLong(in.group(1), 16))),
            sure(
                    "a message longer than its receive of (\\d+) bytes",
                    in -> new Refused.LongerThanReceive(count(in, 1))),
            sure(
                    "a datagram of (\\d+) bytes and the 40 of its address are more than the receive's (\\d+)",
                    in -> new Refused.DatagramLongerThanReceive(number(in, 1), count(in, 2))),
            sure("transport version (\\d+)", in -> new Stray.TransportVersion(number(in, 1))),
            form(
                    "(\\w+) for a queue pair of class (\\w+)",
                    in -> constant(Opcode.class, in.group(1))
                            .flatMap(opcode -> constant(TransportClass.class, in.group(2))
                                    .map(own -> new Stray.ForeignClass(opcode, own)))),
            form(
                    "the queue pair is in (\\w+)",
                    in -> constant(QpState.class, in.group(1)).map(Stray.WrongState::new)),
            form(
                    "a response while the queue pair is in (\\w+)",
                    in -> constant(QpState.class, in.group(1)).map(Stray.ResponseInState::new)),
            sure(
                    "P_Key 0x(\\p{XDigit}+); this queue pair's is 0x(\\p{XDigit}+)",
                    in -> new Stray.Pkey(bits(in, 1), bits(in, 2))),
            sure(
                    "Q_Key 0x(\\p{XDigit}+); this queue pair's is 0x(\\p{XDigit}+)",
                    in -> new Stray.Qkey(bits(in, 1), bits(in, 2))),
            sure("the host set a GID table of (\\d+)", in -> new Notice.GidTableSet(number(in, 1))),
            sure("a subnet manager set a P_Key table of (\\d+)", in -> new Notice.PkeyTableSet(number(in, 1))),
            sure(
                    "(\\d+) receives stand in it, fewer than its limit of (\\d+)",
                    in -> new Notice.BelowLimit(number(in, 1), number(in, 2))),
            sure(
                    "of its (\\d+) entries (\\d+) wait to be polled and (\\d+) are on their way to a subscriber;"
                            + " that of request (-?\\d+) of qp(\\d+) found no room",
                    in -> new Notice.Overrun(
                            number(in, 1), number(in, 2), number(in, 3), count(in, 4), number(in, 5))));

    /** A sentence around another one. */
    private record Around(Pattern sentence, Function<Reason, Optional<Reason>> meaning) {
        Optional<Reason> read(String text, int levels) {
            Matcher matcher = sentence.matcher(text);
            return matcher.matches()
                    ? meaning.apply(SentencesOfVersion1.read(matcher.group(1), levels - 1))
                    : Optional.empty();
        }
    }

    /** No build said more than one of these within another. */
    private static final int MOST_LEVELS = 2;

    private static final List<Around> AROUND = List.of(
            new Around(Pattern.compile("(.+); the message is given up"), why -> Optional.of(new Ignored.GivenUp(why))),
            new Around(
                    Pattern.compile("(.+); its receive, taken from a shared queue, can't go back"),
                    why -> Optional.of(new Refused.ReceiveLost(why))),
            new Around(
                    Pattern.compile("the receive's memory: (.+)"),
                    why -> why instanceof KeyDenied denied
                            ? Optional.of(new Refused.ReceiveMemory(denied))
                            : Optional.empty()));

    /** What {@link Syndrome#describe} said of those that end a connection. */
    private static final Map<String, Integer> SYNDROMES = Map.of(
            "NAK invalid request", Syndrome.NAK_INVALID_REQUEST,
            "NAK remote access", Syndrome.NAK_REMOTE_ACCESS,
            "NAK remote operation", Syndrome.NAK_REMOTE_OPERATION);

    private SentencesOfVersion1() {}

    /** {@link Reason.Unknown} for what no build of that version said. */
    static Reason read(String text) {
        return read(text, MOST_LEVELS);
    }

    /** @param levels of sentences around another one at most: a file may hold any text */
    private static Reason read(String text, int levels) {
        Reason plain = PLAIN.get(text);
        return plain != null
                ? plain
                : Stream.concat(
                                FORMS.stream().flatMap(form -> form.read(text).stream()),
                                AROUND.stream()
                                        .filter(any -> levels > 0)
                                        .flatMap(around -> around.read(text, levels).stream()))
                        .findFirst()
                        .orElseGet(() -> new Reason.Unknown(text));
    }

    private static Form form(String sentence, Function<MatchResult, Optional<? extends Reason>> meaning) {
        return new Form(Pattern.compile(sentence), meaning);
    }

    private static Form sure(String sentence, Function<MatchResult, Reason> meaning) {
        return form(sentence, in -> Optional.of(meaning.apply(in)));
    }

    /** Groups 1 and 2 name the key. */
    private static Form key(String what, Function<MatchResult, Denial> why) {
        return sure("([LR])_Key 0x(\\p{XDigit}{8}) " + what, in -> denied(in, why.apply(in)));
    }

    private static KeyDenied denied(MatchResult in, Denial why) {
        KeyDenied.Name name = in.group(1).equals("L") ? KeyDenied.Name.L_KEY : KeyDenied.Name.R_KEY;
        return new KeyDenied(name, bits(in, 2), why);
    }

    private static Optional<Integer> syndrome(String words) {
        return words.matches("syndrome 0x\\p{XDigit}{2}")
                ? Optional.of(Integer.parseInt(words.substring(words.length() - 2), 16))
                : Optional.ofNullable(SYNDROMES.get(words));
    }

    private static <E extends Enum<E>> Optional<E> constant(Class<E> kind, String name) {
        return Arrays.stream(kind.getEnumConstants())
                .filter(each -> each.name().equals(name))
                .findFirst();
    }

    private static int number(MatchResult in, int group) {
        return Integer.parseInt(in.group(group));
    }

    private static long count(MatchResult in, int group) {
        return Long.parseLong(in.group(group));
    }

    private static int bits(MatchResult in, int group) {
        return Integer.parseUnsignedInt(in.group(group), 16);
    }

    private static long address(MatchResult in, int group) {
        return Long.parseUnsignedLong(in.group(group), 16);
    }
}
