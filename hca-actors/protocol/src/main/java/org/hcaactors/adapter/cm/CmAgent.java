// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.cm;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.mad.CmMessage;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.PortAddress;

/**
 * Communication management of one adapter (IBA chapter 12): listeners, connections and datagram services. It takes datagrams,
 * calls of programs and the time, and hands out {@link CmEffect}s. Not thread-safe.
 */
public final class CmAgent {
    private final CmConnections connections;
    private final CmServices services;

    /** @param effects receives what the agent does, in order, while it is called */
    public CmAgent(CmTimeouts timeouts, CmDevice device, Consumer<CmEffect> effects) {
        connections = new CmConnections(timeouts, device, effects);
        services = new CmServices(timeouts, device.firstCommId(), effects);
    }

    // rule cm-listen
    /**
     * Listens for connections.
     *
     * @param backlog requests that may wait for the program's decision; further ones are dropped
     * @return false if something listens there
     */
    public boolean listen(long service, int backlog) {
        return connections.listen(service, backlog);
    }

    /** Stops listening; requests that wait for a decision are rejected. */
    public void unlisten(long service, long now) {
        connections.unlisten(service, now);
    }

    /**
     * Asks for a connection.
     *
     * @return the communication ID; empty if the adapter has as many connections as it can
     */
    public Optional<Integer> connect(PortAddress to, long service, CmTerms terms, Octets privateData, long now) {
        return connections.connect(to, service, terms, privateData, now);
    }

    // rule cm-listen
    /** The program prepares to accept a request, which takes no room in the backlog any more. */
    public void accepting(int commId) {
        connections.accepting(commId);
    }

    /** Accepts a request; false if it was withdrawn. */
    public boolean accept(int commId, CmTerms terms, Octets privateData, long now) {
        return connections.accept(commId, terms, privateData, now);
    }

    /**
     * Rejects a request, or at the active end a reply; false if it was withdrawn.
     *
     * @param reason code, see {@link org.hcaactors.fabric.mad.RejectReason}
     */
    public boolean reject(int commId, int reason, Octets privateData, long now) {
        return connections.reject(commId, reason, privateData, now);
    }

    /** The queue pair of the active end is in RTS. False if the peer has taken its reply back. */
    public boolean ready(int commId, Octets privateData) {
        return connections.ready(commId, privateData);
    }

    // rule cm-first-message
    /** A message arrived at the queue pair of a passive end before the RTU. */
    public void messageArrived(int qpNumber, long now) {
        connections.messageArrived(qpNumber, now);
    }

    /** Asks the peer to disconnect; false if the connection is not established. */
    public boolean disconnect(int commId, Octets privateData, long now) {
        return connections.disconnect(commId, privateData, now);
    }

    // rule cm-abandon
    /** The program's end is gone, in whatever state: the connection ends in order without it. */
    public void abandon(int commId, long now) {
        connections.abandon(commId, now);
    }

    /** Returns the state of a connection; empty if it is forgotten. */
    public Optional<CmState> state(int commId) {
        return connections.state(commId);
    }

    /** Returns the connections that are not forgotten. */
    public List<CmConnectionReport> report() {
        return connections.report();
    }

    /** Serves requests for a datagram service; false if something serves it. */
    public boolean serve(long service) {
        return services.serve(service);
    }

    public void unserve(long service) {
        services.unserve(service);
    }

    /**
     * Asks a peer for a datagram service.
     *
     * @return the request's ID; empty if as many wait as can
     */
    public Optional<Integer> askService(PortAddress to, int pkey, long service, Octets privateData, long now) {
        return services.ask(to, pkey, service, privateData, now);
    }

    /**
     * Answers a request for a datagram service; false if it has expired or was answered.
     *
     * @param status 0, or why there is no queue pair
     */
    public boolean answerService(int id, int status, int qpNumber, int qkey, Octets privateData) {
        return services.answer(id, status, qpNumber, qkey, privateData);
    }

    /** Handles a datagram that arrived at queue pair 1. */
    public void arrived(PortAddress from, CmDatagram datagram, long now) {
        switch (datagram.message()) {
            case CmMessage.OfConnection message -> connections.arrived(from, datagram, message, now);
            case CmMessage.OfService message -> services.arrived(from, datagram, message, now);
        }
    }

    /** Handles all deadlines that have passed. */
    public void timeout(long now) {
        connections.timeout(now);
        services.timeout(now);
    }

    /**
     * Returns the time of the next {@link #timeout} that does more than forget what has ended, which any later one can do;
     * Long.MAX_VALUE for never.
     */
    public long nextAction() {
        return Math.min(connections.nextAction(), services.nextAction());
    }

    /** Returns the time of the next {@link #timeout} that does something; Long.MAX_VALUE for never. */
    public long nextDeadline() {
        return Math.min(connections.nextDeadline(), services.nextDeadline());
    }
}
