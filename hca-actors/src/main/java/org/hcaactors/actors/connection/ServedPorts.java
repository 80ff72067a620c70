// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.connection;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hcaactors.adapter.cm.CmAgent;
import org.hcaactors.adapter.cm.CmEffect;
import org.hcaactors.adapter.cm.ServedNumber;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.connection.ConnectionException;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.fabric.mad.CmMessage.ServiceReply;
import org.hcaactors.fabric.packet.Bth;

/** Numbers that programs serve at ports of one adapter, and programs that wait for such a number of a peer. */
final class ServedPorts {
    private final String adapter;
    private final Map<Long, ServedPortHandle> served = new LinkedHashMap<>();
    private final Map<Integer, Reply<ServiceReply>> asking = new LinkedHashMap<>();

    ServedPorts(String adapter) {
        this.adapter = adapter;
    }

    void serve(CmActor.Serve serve, CmAgent agent) {
        if (agent.serve(serve.service().service())) {
            served.put(serve.service().service(), serve.service());
            Reply.done(serve.reply());
        } else {
            serve.reply()
                    .fail(new VerbsException(
                            Errno.EADDRINUSE,
                            "another program serves a "
                                    + serve.service().number().kind() + " at port "
                                    + serve.service().address().getPort() + " of adapter " + adapter));
        }
    }

    void unserve(CmActor.Unserve unserve, CmAgent agent) {
        if (served.remove(unserve.service().service(), unserve.service())) {
            agent.unserve(unserve.service().service());
        }
        Reply.done(unserve.reply());
    }

    void resolve(CmActor.Resolve resolve, CmAgent agent, long now) {
        agent.askService(resolve.to(), Bth.DEFAULT_PKEY, resolve.service(), resolve.privateData(), now)
                .ifPresentOrElse(
                        id -> asking.put(id, resolve.reply()),
                        () -> resolve.reply()
                                .fail(new VerbsException(
                                        Errno.ENOMEM, "as many requests for numbers at ports wait as can")));
    }

    /** A peer asks for a service. */
    void requested(CmEffect.ServiceRequested requested, CmAgent agent) {
        ServedPortHandle port = served.get(requested.request().serviceId());
        if (port != null) {
            ServedNumber number = port.number();
            agent.answerService(requested.id(), 0, number.number(), number.qkeyOnWire(), number.privateData());
        }
    }

    void answered(CmEffect.ServiceAnswered answered) {
        Reply<ServiceReply> waiting = asking.remove(answered.requestId());
        if (waiting == null) {
            return;
        }
        ServiceReply reply = answered.reply();
        if (reply.status() == 0) {
            waiting.succeed(reply);
        } else {
            waiting.fail(ConnectionException.failed(
                    Errno.ECONNREFUSED,
                    reply.status() == 1
                            ? "nothing of this kind is served at the port"
                            : "the peer refused to name it, with status " + reply.status()));
        }
    }

    void unanswered(int requestId) {
        Reply<ServiceReply> waiting = asking.remove(requestId);
        if (waiting != null) {
            waiting.fail(ConnectionException.failed(
                    Errno.ETIMEDOUT, "no peer answered the request for the number at the port"));
        }
    }

    /** Communication management has failed or is closed. */
    void fail(VerbsException reason) {
        served.clear();
        List<Reply<ServiceReply>> all = List.copyOf(asking.values());
        asking.clear();
        all.forEach(each -> each.fail(reason));
    }
}
