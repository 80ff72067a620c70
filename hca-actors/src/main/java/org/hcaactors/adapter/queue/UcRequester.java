package org.hcaactors.adapter.queue;

import org.hcaactors.api.completion.Status;
import org.hcaactors.fabric.packet.Psn;

/**
 * The sending half of an unreliable connection: requests in order, each complete when its last packet has been handed to the
 * wire; nothing is kept and nothing is sent twice (rule uc-complete-on-wire; IBA 9.8.2).
 */
final class UcRequester {
    private final PsnWindow window;
    private final SendLedger ledger;
    private final QpSettings settings;
    private final LocalMemory memory;
    private final DataPackets data;
    private final long maxMessageBytes;

    /** The oldest request has PSNs and was sent in part. */
    private boolean started;

    private int nextPsn;
    /** The oldest request's memory was reached as a whole in this turn. */
    private boolean reached;

    UcRequester(QpSettings settings, PsnWindow window, LocalMemory memory, long maxMessageBytes) {
        this.settings = settings;
        this.window = window;
        this.ledger = window.ledger();
        this.memory = memory;
        this.maxMessageBytes = maxMessageBytes;
        data = new DataPackets(settings, window, new Payloads(ledger, memory, false));
    }

    void reset() {
        data.payloads().forget();
        started = false;
    }

    boolean isBusy() {
        return started;
    }

    /** @return packets sent, at most {@code budget} */
    int transmit(Headers on, int budget, boolean mayStart, Turn turn) {
        int sent = 0;
        reached = false;
        while (sent < budget && !ledger.hasFailed() && (started || mayStart && start(turn)) && send(on, turn)) {
            sent++;
        }
        return sent;
    }

    // rule rc-message-limit
    private boolean start(Turn turn) {
        if (ledger.head() == ledger.tail()) {
            return false;
        }
        Posted posted = ledger.at(ledger.head());
        if (posted.lengthBytes() > maxMessageBytes) {
            turn.failed("a message of " + posted.lengthBytes() + " bytes; at most " + maxMessageBytes + " are allowed");
            ledger.failHead(Status.LOC_LEN_ERR, turn);
            return false;
        }
        if (!reach(posted, 0, posted.lengthBytes(), turn)) {
            return false;
        }
        window.start(Psn.packets(posted.lengthBytes(), settings.mtuBytes));
        nextPsn = window.firstPsn(ledger.head());
        started = true;
        reached = true;
        return true;
    }

    private boolean reach(Posted posted, long from, long count, Turn turn) {
        if (posted.inline() != null) {
            return true;
        }
        return switch (memory.reach(posted.work().local(), from, count, false, turn)) {
            case READY -> true;
            case AWAITING_LEASE -> false;
            case FORBIDDEN -> {
                turn.failed(memory.whyNot());
                ledger.failHead(Status.LOC_PROT_ERR, turn);
                started = false;
                yield false;
            }
        };
    }

    private boolean send(Headers on, Turn turn) {
        long position = ledger.head();
        Posted posted = ledger.at(position);
        long from = data.bytesBefore(position, nextPsn);
        if (!reached && !reach(posted, from, data.bytesIn(posted, position, nextPsn), turn)) {
            return false;
        }
        turn.send(data.packet(on, posted, position, nextPsn, false, turn), posted.traceId());
        boolean ends = nextPsn == window.lastPsn(position);
        nextPsn = Psn.plus(nextPsn, 1);
        if (ends) {
            window.completeHead(turn);
            started = false;
            reached = false;
        }
        return true;
    }
}
