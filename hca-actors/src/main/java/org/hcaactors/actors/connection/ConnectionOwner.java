// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.connection;

import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.queue.QueuePair;

/** Context to which listeners and connections belong. Any thread. */
public interface ConnectionOwner {
    /** Sends a verb to communication management. */
    <T> CompletionStage<T> manage(Function<Reply<T>, CmActor.Verb> verb);

    /** Sends a command to communication management. */
    void manage(CmActor.Command command);

    /** Commands of the adapter. */
    CommandSender<?> commandSender();

    LocalPort localPort();

    /** A connection is being made; EINVAL if the context is closed. */
    void begun(Connection connection);

    /**
     * The queue pair belongs to a connection, which closes it.
     *
     * @throws org.hcaactors.api.error.VerbsException EINVAL if it is of another context or another connection, or closed
     */
    void owns(QueuePair queuePair);

    /** The object is closed, or was not made. */
    void closed(Handle object);
}
