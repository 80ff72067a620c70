// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

/**
 * Something that happens to the clients of a service. Clients have numbers, from 1.
 *
 * <p>Immutable.
 */
public sealed interface ClientEvent {
    /** @param from address and port */
    record Begun(long client, String from) implements ClientEvent {}

    /** Something that the client told about itself. */
    record Told(long client, String words) implements ClientEvent {}

    record Ended(long client, Outcome outcome) implements ClientEvent {}

    record Failed(long client, String reason) implements ClientEvent {}

    /** The service ends before the client does. */
    record Stopped(long client) implements ClientEvent {}

    /** A client is not served. */
    record Refused(String from, String reason) implements ClientEvent {}

    /** The service accepts no clients any more. */
    record NoFurther(String reason) implements ClientEvent {}

    /** Returns it as a line for readers. */
    default String line() {
        return switch (this) {
            case Begun(var client, var from) -> line(client, "from " + from);
            case Told(var client, var words) -> line(client, words);
            case Ended(var client, var outcome) -> line(client, "ended: " + outcome.words());
            case Failed(var client, var reason) -> line(client, "failed: " + reason);
            case Stopped(var client) -> line(client, "stopped: the service ends");
            case Refused(var from, var reason) -> "a client from " + from + " is refused: " + reason;
            case NoFurther(var reason) -> "no further clients: " + reason;
        };
    }

    private static String line(long client, String words) {
        return "client " + client + "   " + words;
    }
}
