// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.cover;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.hcaactors.api.capability.PagingCapabilities.Use;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.error.Errno;
import org.hcaactors.judge.cover.Features.Answers;
import org.hcaactors.judge.cover.Features.Elements;
import org.hcaactors.judge.cover.Features.Receiving;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.pair.Transport;

/** What the rules say becomes of a combination. */
final class OutcomeRules {
    private static final String PAGING = "paging-transports";
    private static final int COMMAND = 16;
    private static final int MAX_COMMANDS = 64 << 10;

    /** A reason to refuse a request when it is posted. */
    private record Refusal(String rule, Errno errno, Predicate<Case> holds) {}

    /** A way to end otherwise than well; the first one that holds is what happens. */
    private record Mishap(String rule, Predicate<Case> holds, Status near, Optional<Status> far) {
        /** Nothing comes of it where nobody answers (rule paging-transports). */
        Optional<Status> far(Case all) {
            if (all.verb() == PostedVerb.WRITE_IMM && near == Status.REM_ACCESS_ERR) {
                return takesReceiveAndIsRefused(all) ? Optional.of(Status.LOC_ACCESS_ERR) : Optional.empty();
            }
            return all.isReliable() || !rule.equals(PAGING) ? far : Optional.empty();
        }
    }

    private static final List<Refusal> REFUSALS = List.of(
            new Refusal(
                    "window-remote-invalidate",
                    Errno.EINVAL,
                    all -> all.verb() == PostedVerb.SEND_INV && !all.isReliable()),
            new Refusal(
                    "post-atomics",
                    Errno.EOPNOTSUPP,
                    all -> all.verb().isAtomic() && !all.profile().atomics().eightBytes()),
            new Refusal("post-atomic-replies", Errno.EINVAL, OutcomeRules::isAnsweredUnasked),
            new Refusal(
                    "post-masked-sizes",
                    Errno.EINVAL,
                    all -> all.verb().isMasked()
                            && !(all.profile().atomics().hasMasked(all.bytes())
                                    && all.bytes() <= all.capacity().maxAtomicBytes())),
            new Refusal(
                    "post-inline",
                    Errno.ENOMEM,
                    all -> all.sendsInline()
                            && all.postedBytes() > all.capacity().maxInlineBytes()),
            new Refusal(
                    "post-inline",
                    Errno.EINVAL,
                    all -> all.sendsInline()
                            && all.postedBytes() > 0
                            && !all.near().isAddressed()),
            new Refusal(
                    "post-elements",
                    Errno.ENOMEM,
                    all -> !all.verb().changesKey()
                            && all.row().get(Features.ELEMENTS) == Elements.TWO
                            && all.capacity().maxSendSge() < 2),
            new Refusal(
                    "inline-addresses",
                    Errno.EINVAL,
                    all -> all.resultTravels() && all.near().standsElsewhere()),
            new Refusal(
                    "window-post",
                    Errno.EOPNOTSUPP,
                    all -> all.verb() == PostedVerb.BIND_1 && !all.near().takesWindows()),
            new Refusal(
                    "window-post",
                    Errno.EINVAL,
                    all -> all.verb() == PostedVerb.BIND_1
                            && (all.near() == MemoryKind.ZERO_BASED || all.transport() == Transport.DC)),
            new Refusal(
                    "indirect-post",
                    Errno.EOPNOTSUPP,
                    all -> all.verb() == PostedVerb.FILL && all.transport() != Transport.RC));

    private static final List<Mishap> MISHAPS = List.of(
            new Mishap("rc-message-limit", OutcomeRules::isTooLong, Status.LOC_LEN_ERR, Optional.empty()),
            new Mishap("window-bind", OutcomeRules::isBoundInVain, Status.MW_BIND_ERR, Optional.empty()),
            new Mishap(
                    "window-use", all -> !comesBack(all) && usesNearWindow(all), Status.LOC_PROT_ERR, Optional.empty()),
            new Mishap(
                    PAGING,
                    all -> !comesBack(all) && needsNearKey(all) && all.failsWithoutPage(all.near(), use(all)),
                    Status.LOC_PROT_ERR,
                    Optional.empty()),
            new Mishap("memory-null", all -> reaches(all, MemoryKind.NULL), Status.REM_ACCESS_ERR, Optional.empty()),
            new Mishap(
                    "atomic-tunneled-whole", OutcomeRules::bringsNoCommands, Status.REM_INV_REQ_ERR, Optional.empty()),
            new Mishap(
                    PAGING,
                    all -> all.verb().reachesFar() && all.bytes() > 0 && all.failsWithoutPage(all.far(), use(all)),
                    Status.REM_ACCESS_ERR,
                    Optional.empty()),
            new Mishap(
                    PAGING,
                    all -> comesBack(all) && needsNearKey(all) && all.failsWithoutPage(all.near(), use(all)),
                    Status.LOC_PROT_ERR,
                    Optional.empty()),
            new Mishap(
                    "window-use", all -> comesBack(all) && usesNearWindow(all), Status.LOC_PROT_ERR, Optional.empty()),
            new Mishap(
                    "inline-unmapped",
                    all -> all.resultTravels() && !all.near().isAddressed(),
                    Status.LOC_PROT_ERR,
                    Optional.empty()),
            new Mishap(
                    "rendezvous-incomplete",
                    all -> all.isRendezvous() && all.bytes() > 0 && all.far().isWindow(),
                    Status.SUCCESS,
                    Optional.of(Status.TM_RNDV_INCOMPLETE)),
            new Mishap(
                    "window-use", OutcomeRules::scattersToWindow, Status.REM_OP_ERR, Optional.of(Status.LOC_PROT_ERR)),
            new Mishap(
                    "inline-addresses",
                    all -> all.messageTravels()
                            && (all.far().standsElsewhere() || all.far() == MemoryKind.ZERO_BASED_WINDOW),
                    Status.SUCCESS,
                    Optional.of(Status.LOC_PROT_ERR)),
            new Mishap(
                    PAGING,
                    all -> needsFarKey(all) && all.failsWithoutPage(all.far(), receiveUse(all)),
                    Status.REM_OP_ERR,
                    Optional.of(Status.LOC_PROT_ERR)));

    private OutcomeRules() {}

    static ExpectedResult foreseen(Case all) {
        if (all.mayFailAnyhow()) {
            return new ExpectedResult.Anything();
        }
        // rule inline-addresses
        if (all.verb().isSend()
                && all.receiving() == Receiving.OWN
                && all.far().standsElsewhere()
                && all.postedBytes() > 0
                && all.capacity().maxInlineReceiveBytes() > 0) {
            return new ExpectedResult.ReceiveRefused(Errno.EINVAL);
        }
        Set<Errno> errnos = EnumSet.noneOf(Errno.class);
        REFUSALS.stream().filter(each -> each.holds.test(all)).forEach(each -> errnos.add(each.errno));
        if (!errnos.isEmpty()) {
            return new ExpectedResult.Refused(errnos);
        }
        return ends(all);
    }

    private static ExpectedResult ends(Case all) {
        Optional<Mishap> mishap =
                MISHAPS.stream().filter(each -> each.holds.test(all)).findFirst();
        Optional<Status> received = all.verb().takesReceive() ? Optional.of(Status.SUCCESS) : Optional.empty();
        if (mishap.isEmpty()) {
            return new ExpectedResult.Ends(Status.SUCCESS, received, true);
        }
        if (all.swarm() == Swarm.WIRE && mishap.get().rule.equals(PAGING)) {
            return new ExpectedResult.Anything();
        }
        boolean told = all.isReliable() || isLocal(mishap.get().near);
        return new ExpectedResult.Ends(
                told ? mishap.get().near : Status.SUCCESS, mishap.get().far(all), false);
    }

    /** What a peer's WRITE ends with under the key that was changed. */
    static Status ofUse(Case all) {
        boolean shows = switch (all.verb()) {
            // rule window-user
            case BIND_2 -> all.transport() == Transport.RC || all.transport() == Transport.UC;
            case BIND_1 -> true;
            // rules indirect-parts, memory-null
            case FILL -> !all.near().isWindow() && all.near() != MemoryKind.NULL && all.near() != MemoryKind.TUNNELING;
            default -> false;
        };
        return shows && !all.failsWithoutPage(all.near(), Use.WRITE) ? Status.SUCCESS : Status.REM_ACCESS_ERR;
    }

    /** It is found where the request was posted, and needs nobody's answer. */
    private static boolean isLocal(Status status) {
        return status == Status.LOC_PROT_ERR || status == Status.MW_BIND_ERR || status == Status.LOC_LEN_ERR;
    }

    private static boolean isTooLong(Case all) {
        return !all.verb().changesKey()
                && all.postedBytes() > all.profile().port().maxMessageBytes();
    }

    private static boolean isAnsweredUnasked(Case all) {
        return all.verb().isAtomic()
                && all.row().get(Features.ANSWERS) == Answers.UNASKED_BIG_ENDIAN
                && all.profile().atomics().repliesSwappedOn(all.order());
    }

    /** A window of type 2 is not bound to no bytes. */
    private static boolean isBoundInVain(Case all) {
        return all.verb() == PostedVerb.BIND_2
                && (all.bytes() == 0 || !all.near().takesWindows() || all.near() == MemoryKind.ZERO_BASED);
    }

    private static boolean needsNearKey(Case all) {
        return !all.verb().changesKey() && all.postedBytes() > 0 && !all.sendsInline() && !all.resultTravels();
    }

    // rule rc-write-immediate
    /** Its first packet, which is refused, is its last one, too, and has taken its receive. */
    private static boolean takesReceiveAndIsRefused(Case all) {
        return all.isReliable() && all.bytes() <= all.row().get(Features.MTU).bytes();
    }

    /** Its data come with an answer. */
    private static boolean comesBack(Case all) {
        return all.verb() == PostedVerb.READ || all.verb().isAtomic();
    }

    // rules tag-match, rendezvous-read
    /** A datagram brings its GRH, too; of a message that is matched by its tag no header lands, also where its data are fetched. */
    private static boolean needsFarKey(Case all) {
        boolean matched = all.isRendezvous() || all.isTagged() && all.receiving() == Receiving.MATCHED;
        boolean brings = (matched ? all.bytes() : all.postedBytes()) > 0 || all.transport() == Transport.UD;
        return all.verb().isSend() && brings && !all.messageTravels();
    }

    private static boolean usesNearWindow(Case all) {
        return needsNearKey(all) && all.near().isWindow();
    }

    private static boolean scattersToWindow(Case all) {
        return needsFarKey(all) && all.far().isWindow();
    }

    private static boolean reaches(Case all, MemoryKind kind) {
        return all.verb().reachesFar() && all.bytes() > 0 && all.far() == kind;
    }

    private static boolean bringsNoCommands(Case all) {
        boolean areZeros = all.near() == MemoryKind.NULL && all.bytes() > 0;
        return all.verb() == PostedVerb.TUNNELED
                && (areZeros || all.bytes() % COMMAND != 0 || all.bytes() > MAX_COMMANDS);
    }

    private static Use use(Case all) {
        if (all.verb().isSend()) {
            return Use.SEND;
        }
        if (all.verb().isWrite()) {
            return Use.WRITE;
        }
        return all.verb() == PostedVerb.READ ? Use.READ : Use.ATOMIC;
    }

    private static Use receiveUse(Case all) {
        return all.receiving() == Receiving.OWN ? Use.RECEIVE : Use.SHARED_RECEIVE;
    }
}
